import { cleanText, distinct, phoneDigits } from '../website/text'
import { addPeriod, dayOf, type Hours, hoursIn, timeIn } from './hours'

/** A business as a page describes it in structured data (schema.org). */
export interface BusinessData {
  readonly types: readonly string[]
  readonly name: string
  readonly description: string
  readonly phone: string
  readonly street: string
  readonly city: string
  readonly postal_code: string
  readonly services: readonly string[]
  readonly attributes: readonly string[]
  readonly area: string
  readonly languages: readonly string[]
  readonly same_as: readonly string[]
  readonly hours: Hours
}

/** The known data of the business, to distinguish it from others on a page. */
export interface BusinessIdentity {
  readonly business_name: string
  readonly phone?: string | undefined
  readonly postal_code?: string | undefined
}

type Node = Readonly<Record<string, unknown>>

const bounds = { depth: 12, nodes: 2_000, items: 200, keys: 100, text: 2_000 } as const

/** Returns the best matching business in a site's structured data, or null if there is none. */
export function businessData(data: readonly unknown[], known: BusinessIdentity): BusinessData | null {
  const found = nodesOf(data).filter(isBusiness).map(read)
  const ranked = found.map((one) => ({ one, likeness: likeness(one, known) }))
  // If several match equally well, the first counts, because pages describe their own business first.
  const best = ranked.reduce<(typeof ranked)[number] | null>(
    (before, next) => (before && before.likeness >= next.likeness ? before : next),
    null,
  )
  return best?.one ?? null
}

/** Returns every object inside, outermost first, within the limits of number and depth. */
function nodesOf(data: readonly unknown[]): Node[] {
  const nodes: Node[] = []
  let level: readonly unknown[] = data.slice(0, bounds.items)
  for (let depth = 0; depth < bounds.depth && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue
      if (!Array.isArray(value)) nodes.push(value as Node)
      if (nodes.length >= bounds.nodes) return nodes
      const inside = Array.isArray(value) ? value.slice(0, bounds.items) : valuesOf(value as Node)
      if (next.length < bounds.nodes * 4) next.push(...inside)
    }
    level = next
  }
  return nodes
}

const valuesOf = (node: Node) =>
  Object.keys(node)
    .slice(0, bounds.keys)
    .map((key) => node[key])

const own = (node: Node, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined)

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.slice(0, bounds.items) : [value]

const nodeOf = (value: unknown): Node | null => {
  const [first] = listOf(value)
  return first !== null && typeof first === 'object' && !Array.isArray(first) ? (first as Node) : null
}

/** Returns the texts of a value: strings, and the names of objects. */
const textsOf = (value: unknown, max: number = bounds.text): string[] =>
  listOf(value).flatMap((one) => {
    if (typeof one === 'string' || typeof one === 'number')
      return [cleanText(String(one), max)].filter(Boolean)
    const node = nodeOf(one)
    const named = node && (own(node, '@value') ?? own(node, 'name'))
    return typeof named === 'string' ? [cleanText(named, max)].filter(Boolean) : []
  })

const textOf = (node: Node, key: string, max?: number) => textsOf(own(node, key), max)[0] ?? ''

const typesOf = (node: Node) =>
  textsOf(own(node, '@type'), 200)
    .slice(0, 10)
    .map((type) => type.split(/[/#:]/).at(-1) ?? '')

/** Types that have names and addresses too, but are not businesses. */
const others = new Set(
  `WebSite WebPage AboutPage ContactPage CollectionPage ItemPage ProfilePage FAQPage SearchResultsPage Article NewsArticle
   BlogPosting Blog Product ProductGroup Offer AggregateOffer Review AggregateRating Rating Person ImageObject VideoObject
   BreadcrumbList ListItem ItemList PostalAddress GeoCoordinates GeoCircle ContactPoint OpeningHoursSpecification Event Question
   Answer SearchAction ReadAction Service OfferCatalog Place City Country State AdministrativeArea Brand JobPosting Course Recipe
   SiteNavigationElement WPHeader WPFooter LocationFeatureSpecification QuantitativeValue Language Comment`.split(
    /\s+/,
  ),
)
const marks = [
  'telephone',
  'address',
  'openingHours',
  'openingHoursSpecification',
  'geo',
  'priceRange',
  'areaServed',
  'sameAs',
  'hasOfferCatalog',
  'makesOffer',
  'description',
  'knowsLanguage',
  'legalName',
  'logo',
]

function isBusiness(node: Node): boolean {
  const types = typesOf(node)
  return (
    types.length > 0 &&
    !types.some((type) => others.has(type)) &&
    marks.some((key) => Object.hasOwn(node, key))
  )
}

function read(node: Node): BusinessData {
  const address = nodeOf(own(node, 'address'))
  const plain = address ? '' : textOf(node, 'address', 300)
  const part = (key: string) => (address ? textOf(address, key, 200) : '')
  return {
    types: typesOf(node),
    name: textOf(node, 'name', 300),
    description: textOf(node, 'description'),
    phone: textOf(node, 'telephone', 40),
    street: part('streetAddress') || plain,
    city: part('addressLocality'),
    postal_code: part('postalCode'),
    services: servicesOf(node),
    attributes: attributesOf(node),
    area: distinct(textsOf(own(node, 'areaServed') ?? own(node, 'serviceArea'), 100), 20, 100).join(', '),
    languages: textsOf(own(node, 'knowsLanguage'), 40),
    same_as: textsOf(own(node, 'sameAs'), 500).slice(0, 40),
    hours: hoursOf(node),
  }
}

/** The names of offers. Catalogues can contain catalogues. */
function servicesOf(node: Node): string[] {
  const names: string[] = []
  const walk = (value: unknown, depth: number) => {
    for (const item of listOf(value)) {
      if (depth > 4 || names.length >= 60) return
      const one = nodeOf(item)
      if (!one) continue
      const inside = own(one, 'itemListElement')
      const offered = nodeOf(own(one, 'itemOffered'))
      const name = textOf(offered ?? one, 'name', 120)
      if (inside !== undefined) walk(inside, depth + 1)
      else if (name !== '') names.push(name)
    }
  }
  walk(own(node, 'hasOfferCatalog'), 0)
  walk(own(node, 'makesOffer'), 0)
  return [...names, ...textsOf(own(node, 'serviceType'), 120)]
}

function attributesOf(node: Node): string[] {
  const features = listOf(own(node, 'amenityFeature')).flatMap((one) => {
    const feature = nodeOf(one)
    const value = feature && own(feature, 'value')
    return feature && value !== false && value !== 'False' ? [textOf(feature, 'name', 120)] : []
  })
  const cuisine = textsOf(own(node, 'servesCuisine'), 120)
  return [...features, ...cuisine].filter(Boolean)
}

function hoursOf(node: Node): Hours {
  const hours = hoursIn(textsOf(own(node, 'openingHours'), 200))
  for (const one of listOf(own(node, 'openingHoursSpecification'))) {
    const told = nodeOf(one)
    // Holiday hours are not weekly hours.
    if (!told || Object.hasOwn(told, 'validFrom') || Object.hasOwn(told, 'validThrough')) continue
    const on = textsOf(own(told, 'dayOfWeek'), 100).flatMap((day) => dayOf(day) ?? [])
    addPeriod(hours, on, timeIn(textOf(told, 'opens', 30)), timeIn(textOf(told, 'closes', 30)))
  }
  return hours
}

function likeness(
  one: BusinessData,
  { business_name, phone = '', postal_code = '' }: BusinessIdentity,
): number {
  const same = (a: string, b: string) => a !== '' && a.toLowerCase() === b.trim().toLowerCase()
  const digits = phoneDigits(phone)
  return (
    (digits !== '' && phoneDigits(one.phone) === digits ? 4 : 0) +
    (same(one.postal_code, postal_code) ? 3 : 0) +
    (same(one.name, business_name) ? 3 : 0) +
    (one.street === '' ? 0 : 2) +
    [one.phone, one.description, ...one.same_as.slice(0, 1)].filter(Boolean).length
  )
}
