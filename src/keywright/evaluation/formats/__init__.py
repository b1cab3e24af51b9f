"""Files of gold keyphrases and of answers: reading and writing."""
