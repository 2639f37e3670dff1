"""What targets show of one scene, compared: by a search for differences, and by generated scenes that are pinned."""
