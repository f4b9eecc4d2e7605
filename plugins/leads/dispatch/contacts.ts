import { parse } from 'tldts'
import type { TextField } from '../keywords/node'
import { type BusinessFacts, isMailOfBusiness } from './business-details'
import { phones } from './phones'
import { isOfAuthor, isOtherNumber } from './whose-detail'

/** The contact fields of a lead that a public text can contain. */
export const contactFields = ['first_name', 'last_name', 'email', 'phone', 'suburb', 'postcode'] as const
/** One of `contactFields`. */
export type ContactField = (typeof contactFields)[number]

/** A contact detail and where it is in the public text. */
export interface Contact {
  readonly field: ContactField
  /** The value in its usual form. A telephone number is international. */
  readonly value: string
  readonly in: TextField
  /** Position in the unchanged title or body, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

type Found = Omit<Contact, 'in'>
const textMax = 20_000

/**
 * Returns the first contact detail of each kind that the author of a public text states about themselves, each
 * validated. The details of the business itself, and those of others, are left out.
 */
export async function readContacts(
  post: { readonly title?: string | undefined; readonly body: string },
  business: BusinessFacts,
): Promise<Contact[]> {
  const contacts = new Map<ContactField, Contact>()
  for (const field of ['title', 'body'] as const) {
    const text = (post[field] ?? '').slice(0, textMax)
    if (text === '') continue
    const numbers = await phones(text, business)
    const found = [
      ...names(text),
      ...emails(text, business),
      ...numbers,
      ...postcodes(text, business).filter((one) => numbers.every((number) => !overlaps(one, number))),
      ...suburbs(text, business),
    ]
    for (const one of found) if (!contacts.has(one.field)) contacts.set(one.field, { ...one, in: field })
  }
  return contactFields.flatMap((field) => contacts.get(field) ?? [])
}

/** A handle of the fediverse looks like an address of e-mail, but begins with @. */
const email = /(?<![\w.+@/=-])[a-z0-9][a-z0-9._%+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![\w@-])/giu

function emails(text: string, business: BusinessFacts): Found[] {
  return [...text.matchAll(email)].flatMap(({ 0: value, index }) => {
    const domain = value.slice(value.indexOf('@') + 1)
    const isWhole = !value.includes('..') && !/\.@/.test(value)
    const end = index + value.length
    if (!isWhole || !parse(domain).isIcann || isMailOfBusiness(value, business)) return []
    const box = value.slice(0, value.indexOf('@')).toLowerCase()
    if (machineBoxes.test(box)) return []
    return isOfAuthor(text, index, end, { mustSay: firmBoxes.test(box) })
      ? [{ field: 'email' as const, value: value.toLowerCase(), start: index, end }]
      : []
  })
}

/** Boxes that nobody reads, or that are no boxes. */
const machineBoxes = /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|git|bounces?)$/
/** Boxes of firms. People who write about a firm name them. */
const firmBoxes =
  /^(?:info|sales|support|contact|service|services|help|helpdesk|office|admin|enquir(?:y|ies)|inquiries|customer-?(?:service|care|support)s?|bookings?|reservations?|orders?|jobs|careers|hr|press|media|marketing|billing|accounts|complaints|reception|kontakt|vertrieb|bestellung|kundenservice|buchung|contacto|ventas|contatti|prenotazioni|contato|vendas|verkoop|webmaster|abuse|privacy)$/

const overlaps = (one: Found, other: Found) => one.start < other.end && other.start < one.end

const introduction =
  /(?<!\p{L})(?:[Mm]y name is|[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es|[Mm]i chiamo|[Mm]ijn naam is|[Ii]k heet|[Mm]eu nome é|[Mm]e chamo)[ \t]{1,3}(?<first>\p{Lu}[\p{L}'’-]{1,30})(?:[ \t](?<last>\p{Lu}[\p{L}'’-]{1,30}))?/du

function names(text: string): Found[] {
  const match = introduction.exec(text)
  const at = match?.indices?.groups ?? {}
  const part = (field: 'first_name' | 'last_name', span: [number, number] | undefined): Found[] =>
    span ? [{ field, value: text.slice(...span), start: span[0], end: span[1] }] : []
  return [...part('first_name', at.first), ...part('last_name', at.last)]
}

/** Postcodes that cannot be other numbers: by their form, or next to a state, a town or the word for them. */
const postcodeForms: Readonly<Record<string, readonly RegExp[]>> = {
  GB: [
    /(?<![\p{L}\d])(?<code>[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})(?![\p{L}\d])/dgu,
    /\b(?:post ?code(?: is)?|in|near|around|from|at)[ :]{1,2}(?<code>[a-z]{1,2}\d[a-z\d]? \d[abd-hjlnp-uw-z]{2})(?![\p{L}\d])/dgiu,
  ],
  IE: [/(?<![\p{L}\d])(?<code>(?:[AC-FHKNPRTV-Y]\d\d|D6W) ?[AC-FHKNPRTV-Y\d]{4})(?![\p{L}\d])/dgu],
  CA: [/(?<![\p{L}\d])(?<code>[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d)(?![\p{L}\d])/dgu],
  NL: [/(?<![\p{L}\d])(?<code>[1-9]\d{3} ?[A-Z]{2})(?![\p{L}\d])/dgu],
  US: [
    /(?<![\p{L}\d])(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|I[ADL]|K[SY]|LA|M[ADINOST]|N[CDEHJMVY]|OH|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|(?<=\p{Lu}[\p{L}.'’-]{1,30},? )(?:HI|IN|ME|O[KR])),? (?<code>\d{5}(?:-\d{4})?)(?!\d)/dgu,
    /\bzip(?: ?code)?(?: is)?[ :]{1,2}(?<code>\d{5}(?:-\d{4})?)(?!\d)/dgiu,
  ],
  AU: [/(?<![\p{L}\d])(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT),? (?<code>\d{4})(?!\d)/dgu],
  // No place has a code that ends with 000. Amounts do.
  DE: [
    /(?<![\p{L}\d])(?<code>\d\d(?!000)\d{3}) \p{Lu}\p{Ll}/dgu,
    /\b(?:PLZ|Postleitzahl)(?: ist)?[ :]{1,2}(?<code>\d{5})(?!\d)/dgiu,
  ],
  FR: [
    /(?<![\p{L}\d])(?<code>\d{5}) \p{Lu}\p{L}/dgu,
    /\bcode postal(?: est)?(?: le)?[ :]{1,3}(?<code>\d{5})(?!\d)/dgiu,
  ],
  ES: [
    /(?<![\p{L}\d])(?<code>\d{5}) \p{Lu}\p{Ll}/dgu,
    /\b(?:código postal|codigo postal|C\.?P\.?)(?: es)?(?: el)?[ :]{1,2}(?<code>\d{5})(?!\d)/dgiu,
  ],
  IT: [/(?<![\p{L}\d])(?<code>\d{5}) \p{Lu}\p{Ll}/dgu],
  PT: [/(?<![\p{L}\d])(?<code>\d{4}-\d{3}) \p{Lu}\p{Ll}/dgu],
  PL: [/(?<![\p{L}\d])(?<code>\d{2}-\d{3}) \p{Lu}\p{Ll}/dgu],
  BR: [/\bCEP[ :]{1,2}(?<code>\d{5}-\d{3})(?!\d)/dgiu],
  IN: [/\bpin(?: ?code)?(?: is)?[ :]{1,2}(?<code>\d{3} ?\d{3})(?!\d)/dgiu],
}

/** What is counted, where nouns have capitals and a postcode stands before a town: “12345 Euro”. */
const counted =
  /^ (?:Euros?|EUR|Dollars?|Franken|CHF|Pfund|Cents?|Kilometern?|Km|KM|Metern?|Litern?|Gramm|Kilo|Watt|KWh|Volt|PS|Umdrehungen|Stunden?|Tagen?|Wochen|Monaten?|Jahren?|Minuten|Sekunden|Mal|Leuten?|Menschen|Personen|Kunden|Kundinnen|Mitarbeitern?|Mitglieder|Einwohnern?|Besuchern?|Nutzern?|Follower|Abonnenten|Aufrufen?|Likes|Klicks|Views|Bewertungen|Rezensionen|Sternen?|Stück|Teilen?|Punkten?|Schritten?|Fällen?|Wohnungen|Häusern?|Haushalten?|Autos|Bestellungen|Seiten|Wörter|Zeichen|Worte|Quadratmeter|Prozent|Grad)(?!\p{L})/u
const isAmount = (text: string, [start, end]: readonly [number, number]): boolean =>
  counted.test(text.slice(end, end + 20)) || isOtherNumber(text.slice(Math.max(0, start - 60), start))

function postcodes(text: string, { country }: BusinessFacts): Found[] {
  const forms = postcodeForms[country?.toUpperCase() ?? ''] ?? []
  return forms.flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ indices }) => {
      const span = indices?.groups?.code
      return span && !isAmount(text, span)
        ? [{ field: 'postcode' as const, value: text.slice(...span), start: span[0], end: span[1] }]
        : []
    }),
  )
}

/** A part of the town, as in “in Headingley, Leeds” and “in Richmond VIC”. */
const suburbBefore =
  /(?<!\p{L})(?:in|near|around|at|en|à|bei|a|em|te) (?<suburb>\p{Lu}[\p{L}'’-]{2,30}(?: \p{Lu}[\p{L}'’-]{2,30})?)(?:, | \()(?<town>\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{1,30})?)/dgu

function suburbs(text: string, { city }: BusinessFacts): Found[] {
  if (!city) return []
  for (const { indices, groups } of text.matchAll(suburbBefore)) {
    const span = indices?.groups?.suburb
    const town = groups?.town?.toLowerCase() ?? ''
    if (!span || !(town === city.toLowerCase() || town.startsWith(`${city.toLowerCase()} `))) continue
    return [{ field: 'suburb', value: text.slice(...span), start: span[0], end: span[1] }]
  }
  return []
}
