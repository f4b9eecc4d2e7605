/** Shows the Copy buttons and makes them work. Selects the reader's own time zone in choices. */
export const copyScript = `
const ready = () => {
for (const button of document.querySelectorAll('[data-copies]:not([data-ready])')) {
  const field = document.getElementById(button.dataset.copies)
  button.dataset.ready = ''
  const word = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    field.select()
    try { await navigator.clipboard.writeText(field.value) } catch { document.execCommand('copy') }
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = word }, 2000)
  })
}
for (const choice of document.querySelectorAll('[data-own-zone]')) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if ([...choice.options].some(({ value }) => value === own)) choice.value = own
}
}
ready()
document.addEventListener('renown:shown', ready)
`
