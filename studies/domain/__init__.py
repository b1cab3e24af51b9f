"""Documents that are recognised as unlike those of training: false alarms by collection, and made odd texts."""
