import { addressesIn } from 'renown/sources'
import { parse } from 'tldts'

/** A business whose own details must not become those of a lead. */
export interface BusinessFacts {
  readonly business_name?: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined
  readonly city?: string | undefined
  readonly phone?: string | undefined
  readonly website?: string | undefined
  readonly manual_notes?: string | undefined
}

/** Hosts where many businesses have a page. Their domain is nobody's. */
const shared =
  /^(?:facebook|fb|instagram|linkedin|x|twitter|tiktok|youtube|google|gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|aol|gmx|web|proton|protonmail|wixsite|wordpress|blogspot|squarespace|weebly|myshopify|etsy|linktr|carrd|github)$/
const nameMin = 5

/** Whether an address of e-mail is one of the business itself: of its domain, or with its name as domain. */
export function isMailOfBusiness(mail: string, facts: BusinessFacts): boolean {
  const notes = addressesIn(facts.manual_notes ?? '')
  if (notes.some(({ kind, written }) => kind === 'mail' && written.toLowerCase() === mail.toLowerCase()))
    return true
  const { domain, domainWithoutSuffix } = parse(mail.slice(mail.indexOf('@') + 1))
  if (domain === null || domainWithoutSuffix === null || shared.test(domainWithoutSuffix)) return false
  if (facts.website !== undefined && parse(facts.website.trim()).domain === domain) return true
  const name = plain(facts.business_name ?? '')
  return name.length >= nameMin && plain(domainWithoutSuffix) === name
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Whether an international telephone number is one of the business itself, however that is written. */
export function isPhoneOfBusiness(phone: string, { phone: own, manual_notes = '' }: BusinessFacts): boolean {
  const digits = digitsOf(phone)
  const noted = manual_notes.match(/\+?\d[\d\s()./-]{5,24}\d/g) ?? []
  return [own ?? '', ...noted].some((written) => {
    const national = digitsOf(written.replace('(0)', '').slice(0, 40)).replace(/^0{1,2}/, '')
    return national.length >= digitsMin && digits.endsWith(national)
  })
}

/** A shorter number without its area could be that of many people. */
const digitsMin = 7
