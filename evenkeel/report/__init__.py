"""What readers can take home: an issue's text, the table of releases, the track record."""
