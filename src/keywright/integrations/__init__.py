"""Parts for other libraries: spaCy, scikit-learn, LangChain, Haystack, engines of tables.

Each module is named after its library and needs that library; that for tables serves Ray Data, Spark and Daft. No other
part of keywright imports any of them.
"""
