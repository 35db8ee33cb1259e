"""Logs of real transfers: what GridFTP servers and FTS record, one record a transfer."""
