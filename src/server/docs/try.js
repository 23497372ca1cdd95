// Sends the requests that a reader has filled in, to the server that this page comes from, and shows the answers.
const key = document.getElementById('key')
// Enter in the field of the key sends nothing.
document.getElementById('access').addEventListener('submit', (event) => event.preventDefault())

function addressOf(form) {
  let address = form.dataset.url
  const search = new URLSearchParams()
  for (const field of form.querySelectorAll('input[data-in]')) {
    if (field.dataset.in === 'path')
      address = address.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.dataset.in === 'query' && field.value !== '') search.set(field.name, field.value)
  }
  return search.size === 0 ? address : `${address}?${search}`
}

function requestOf(form) {
  const headers = {}
  if (key.value !== '') headers.authorization = `Bearer ${key.value}`
  for (const field of form.querySelectorAll('input[data-in="header"]'))
    if (field.value !== '') headers[field.name] = field.value
  const files = form.querySelector('input[type="file"]')
  const text = form.querySelector('textarea')
  if (files && files.files.length > 0) {
    const body = new FormData()
    for (const file of files.files) body.append('files', file, file.name)
    return { method: form.dataset.method, headers, body }
  }
  if (!text || text.value.trim() === '') return { method: form.dataset.method, headers }
  return {
    method: form.dataset.method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: text.value,
  }
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

for (const form of document.querySelectorAll('form[data-url]'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const shown = form.querySelector('output')
    shown.textContent = '…'
    try {
      const answer = await window.fetch(addressOf(form), requestOf(form))
      shown.textContent = `${answer.status} ${answer.statusText}\n${readable(await answer.text())}`
    } catch (error) {
      shown.textContent = String(error)
    }
  })
