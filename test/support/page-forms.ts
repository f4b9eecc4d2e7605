import { DomUtils, parseDocument } from 'htmlparser2'

type Nodes = ReturnType<typeof parseDocument>['children']
type Element = ReturnType<typeof DomUtils.findAll>[number]

/** One field of a form as the page shows it. */
export interface PageField {
  readonly name: string
  readonly kind: 'text' | 'secret' | 'choice' | 'box' | 'radio'
  readonly isRequired: boolean
  /** What the browser would send for it: several values where several boxes share a name. */
  readonly sent: readonly string[]
  /** Every value of a choice, of boxes or of radio buttons. */
  readonly options: readonly string[]
  readonly isInvalid: boolean
  /** Texts of the faults that `aria-describedby` names. */
  readonly faults: readonly string[]
}

/** A form that posts, with its fields. Fields of one name are one field. */
export interface PageForm {
  readonly action: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
  readonly fields: readonly PageField[]
}

/** Reads the forms of a page that post. */
export function postFormsOf(html: string): readonly PageForm[] {
  const page = parseDocument(html)
  const forms = DomUtils.findAll(
    ({ name, attribs }) => name === 'form' && attribs.method === 'post',
    page.children,
  )
  return forms.map((form) => {
    const inputs = DomUtils.findAll(({ name }) => /^(input|select|textarea)$/.test(name), form.children)
    const seen = inputs.filter(
      ({ attribs }) => attribs.type !== 'hidden' && attribs.name && !('readonly' in attribs),
    )
    const byName = Map.groupBy(seen, ({ attribs }) => attribs.name ?? '')
    return {
      action: form.attribs.action ?? '',
      hidden: inputs
        .filter(({ attribs }) => attribs.type === 'hidden')
        .map(({ attribs }) => [attribs.name ?? '', attribs.value ?? ''] as const),
      fields: [...byName].map(([name, elements]) => fieldOf(name, elements, page.children)),
    }
  })
}

function fieldOf(name: string, elements: readonly Element[], page: Nodes): PageField {
  const [first] = elements
  if (!first) throw new Error(`No element is called ${name}`)
  const kind = kindOf(first)
  const described = elements.flatMap(({ attribs }) => (attribs['aria-describedby'] ?? '').split(' '))
  const faults = [...new Set(described.filter((id) => id.endsWith('-error')))].map((id) => {
    const fault = DomUtils.findOne(({ attribs }) => attribs.id === id, page)
    return fault ? DomUtils.textContent(fault) : ''
  })
  return {
    name,
    kind,
    faults,
    isRequired: elements.some(({ attribs }) => 'required' in attribs),
    sent: elements.flatMap((element) => sentBy(element, kind)),
    options: elements.flatMap((element) => optionsOf(element)),
    isInvalid: elements.some(({ attribs }) => attribs['aria-invalid'] === 'true'),
  }
}

function kindOf({ name, attribs }: Element): PageField['kind'] {
  if (name === 'select') return 'choice'
  if (attribs.type === 'checkbox') return 'box'
  if (attribs.type === 'radio') return 'radio'
  // No browser fills in a file again either.
  if (attribs.type === 'file') return 'secret'
  return attribs.type === 'password' || attribs.autocomplete === 'one-time-code' ? 'secret' : 'text'
}

const optionElements = (element: Element) =>
  DomUtils.findAll(({ name }) => name === 'option', element.children)

const optionsOf = (element: Element): readonly string[] =>
  element.name === 'select'
    ? optionElements(element).map(({ attribs }) => attribs.value ?? '')
    : [element.attribs.value ?? 'on']

function sentBy(element: Element, kind: PageField['kind']): readonly string[] {
  const { attribs } = element
  if (kind === 'box' || kind === 'radio') return 'checked' in attribs ? [attribs.value ?? 'on'] : []
  if (kind !== 'choice')
    return [element.name === 'textarea' ? DomUtils.textContent(element) : (attribs.value ?? '')]
  const options = optionElements(element)
  const chosen = options.find(({ attribs }) => 'selected' in attribs) ?? options[0]
  return [chosen?.attribs.value ?? '']
}
