"""Systems: one file each, each a function from an analysed document to a ranked prediction."""
