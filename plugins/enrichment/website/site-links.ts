import { getDomain } from 'tldts'
import type { SitePage } from './page'

/** Returns the text that identifies a site: its registrable domain, or its host. */
export const siteOf = ({ hostname }: URL): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? hostname

/** The purposes of pages, by words of their address or of links to them, in order of priority. */
const purposes: readonly (readonly [purpose: string, words: RegExp])[] = [
  [
    'about',
    anyOf(
      'about|who-we-are|our-story|company|ueber-uns|uber-uns|über-uns|wir|unternehmen|a-propos|qui-sommes-nous|sobre|nosotros',
      'quienes-somos|chi-siamo|over-ons|om-oss|om-os|quem-somos|o-nas',
    ),
  ],
  [
    'services',
    anyOf(
      'services?|what-we-do|offers?|products?|menu|treatments?|leistungen|angebote?|speisekarte|prestations?|nos-services|carte',
      'servicios|servizi|diensten|tjenester|tjanster|servicos|uslugi',
    ),
  ],
  ['contact', anyOf('contact|kontakt|contacto|contatti|contato|find-us|anfahrt|visit')],
  ['hours', anyOf('hours|opening|oeffnungszeiten|öffnungszeiten|horaires|horarios?|orari|openingstijden')],
  ['impressum', anyOf('impressum|imprint|legal-notice|mentions-legales|aviso-legal')],
]

/** A pattern that matches one of these words as a whole word. */
function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

const noPage =
  /\.(?:pdf|jpe?g|png|gif|webp|avif|svg|zip|gz|mp[34]|docx?|xlsx?|pptx?|ics|vcf|xml|json|css|js|ico|woff2?)$/i
const addressMax = 300

/** Returns the linked pages of the same site that describe the business, one for each purpose. */
export function furtherPages({ url, links }: Pick<SitePage, 'url' | 'links'>, most: number): string[] {
  const home = new URL(url)
  const site = siteOf(home)
  const chosen = new Set<string>()
  const candidates = links.flatMap(({ url: address, words }) => {
    const target = URL.parse(address)
    if (!target || target.href.length > addressMax || siteOf(target) !== site) return []
    if (target.username !== '' || target.search !== '' || noPage.test(target.pathname)) return []
    target.hash = ''
    // If several addresses match, the shortest is the most general one.
    return target.href === home.href ? [] : [{ href: target.href, words: wordsOf(target, words) }]
  })
  for (const [, wanted] of purposes) {
    const [first] = candidates
      .filter(({ href, words }) => !chosen.has(href) && wanted.test(words))
      .sort((a, b) => a.href.length - b.href.length)
    if (first && chosen.size < most) chosen.add(first.href)
  }
  return [...chosen]
}

/** Returns the last part of the path and the words of the link, with hyphens for spaces as in paths. */
function wordsOf({ pathname }: URL, words: string): string {
  const last = pathname.split('/').filter(Boolean).at(-1) ?? ''
  return `${decoded(last)} ${words.trim().replaceAll(' ', '-')}`.replaceAll('_', '-')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
