"""Files of gold keyphrases and of answers, read and written."""
