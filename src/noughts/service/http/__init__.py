"""What is asked: routes, requests and answers, and what holds for all of them."""
