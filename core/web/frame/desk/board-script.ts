/**
 * Lets people move the cards of a board by drag and by arrow keys, with the acts for chosen rows. Without it, they tick the box of a
 * card and choose the act. It is sent with the script of the frame and shares its types.
 */
{
  let held: Element | null = null
  const columns = () => [...document.querySelectorAll('main [data-column]')]
  const columnOf = (part: Element) => part.closest('[data-column]')
  const isOpen = (from: Element | null, to: Element) =>
    (from?.dataset.to ?? '').split(' ').includes(to.dataset.column ?? '')
  const mark = () => {
    for (const column of columns())
      column.dataset.drop = held === null ? '' : isOpen(columnOf(held), column) ? 'open' : 'closed'
  }

  /** Does the act of a column with one card. Of a column that needs more than that, the page of the card opens. */
  const move = (card: Element, to: Element) => {
    const { column, opens } = to.dataset
    if (columnOf(card) === to) return
    if (opens !== undefined) {
      location.assign(`${card.querySelector('a')?.href}#${opens}`)
      return
    }
    for (const box of document.querySelectorAll('main [data-choose]')) box.checked = card.contains(box)
    document.querySelector(`main [data-several] button[formaction$="/several-${column}"]`)?.click()
  }

  document.addEventListener('dragstart', ({ target, dataTransfer }) => {
    held = target.closest('[data-card]')
    // Firefox starts no drag without data.
    if (held) dataTransfer?.setData('text/plain', held.textContent)
    mark()
  })
  document.addEventListener('dragend', () => {
    held = null
    mark()
  })
  document.addEventListener('dragover', (event) => {
    const over = held && columnOf(event.target)
    if (!over) return
    // A closed column accepts the drop too, so that the answer says why the card does not move.
    event.preventDefault()
    mark()
    if (over.dataset.drop === 'open') over.dataset.drop = 'over'
  })
  document.addEventListener('drop', (event) => {
    const to = held && columnOf(event.target)
    if (!held || !to) return
    event.preventDefault()
    move(held, to)
  })

  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const card = by === 0 ? null : target.closest('[data-card]')
    if (!card || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    const from = columnOf(card)
    const all = columns()
    const at = from ? all.indexOf(from) : -1
    const onWay = by === 1 ? all.slice(at + 1) : all.slice(0, Math.max(at, 0)).reverse()
    const to = onWay.find((column) => isOpen(from, column))
    if (to) move(card, to)
  })

  for (const hint of document.querySelectorAll('main [data-scripted]')) hint.hidden = false
}
