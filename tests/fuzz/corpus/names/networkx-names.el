ada bob {}
ada cy {}
bob cy {}
cy ada {}
