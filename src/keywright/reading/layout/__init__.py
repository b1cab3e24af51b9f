"""Pages as they are drawn to text as it is read: characters, lines, columns, paragraphs, front matter."""
