class A:
	def f(self):
		if x:
			return 2
		return 3
