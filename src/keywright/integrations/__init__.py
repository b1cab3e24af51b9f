"""Parts for other libraries: spaCy, scikit-learn, Hugging Face datasets, LangChain, Haystack.

Each module is named after its library and needs that library; no other part of keywright imports any of them.
"""
