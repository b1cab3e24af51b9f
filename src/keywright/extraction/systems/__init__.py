"""Systems: one file each, a function from an analysed document to a ranking of its phrases."""
