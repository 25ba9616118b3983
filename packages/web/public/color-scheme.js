// Runs before anything is painted: the chosen scheme, or the system's, so that no dark room is lit by a white flash.
const chosen = localStorage.getItem('saldo.colorScheme')
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
