"""Which predicted phrase matches which gold phrase: exactly, approximately, or as a part."""
