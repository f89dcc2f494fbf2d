# friends
ada bob
bob  cy
ada cy
cy ada
