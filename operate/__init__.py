"""The operator's tools. They may import everything else here; nothing else imports them."""
