"""Neural keyphrase generators: data, layers, models, decoding and training. Only this folder imports torch."""
