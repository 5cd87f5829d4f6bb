"""Sets as code: how to go through their elements, count them, find one."""
