"""The site: pages made from the rules, the guide and the results."""
