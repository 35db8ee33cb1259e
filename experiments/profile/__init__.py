"""What limits a transfer: each limit lifted in turn, the one that holds named, a change tried."""
