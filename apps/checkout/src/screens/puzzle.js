// The form of a page that has a puzzle, and nowhere else: it is answered (solving.js) while somebody types,
// and sent once it is.
;(() => {
  const form = document.querySelector('[data-puzzle]')
  if (!form) return
  const { answer } = form.elements

  form.querySelector('[data-still]').hidden = true
  let waits = 'go' in form.dataset
  const said = form.querySelector('[data-wait]')
  if (waits) said.hidden = false
  solvePuzzle(form.dataset.puzzle, (number) => {
    answer.value = number
    said.hidden = true
    if (waits) form.submit()
  })
  form.addEventListener('submit', (event) => {
    if (answer.value) return
    event.preventDefault()
    waits = true
    said.hidden = false
  })
})()
