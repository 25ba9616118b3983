// Says which browser the app needs, in one that is older. README.md has the same versions. It has to run there: no syntax
// after 2015.
const isNewEnough =
  'groupBy' in Map && 'withResolvers' in Promise && 'difference' in Set.prototype && 'popover' in HTMLElement.prototype
if (!isNewEnough) {
  const isGerman = navigator.language.startsWith('de')
  const versions = 'Chrome 122, Edge 122, Firefox 127, Safari 17.4'
  const message = document.createElement('p')
  message.setAttribute('role', 'alert')
  message.setAttribute('style', 'max-width: 30rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif')
  message.textContent = isGerman
    ? `Dieser Browser ist zu alt für Saldo. Aktualisiere ihn, oder nimm einen von diesen oder einen neueren: ${versions}.`
    : `This browser is too old for Saldo. Update it, or use one of these or a newer one: ${versions}.`
  document.documentElement.lang = isGerman ? 'de' : 'en'
  // Without its place, the app does not start.
  document.body.replaceChild(message, document.getElementById('root'))
}
