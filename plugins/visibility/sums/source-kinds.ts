/** What kind of site a source is, the most telling first. */
export const sourceKinds = [
  'own',
  'competitor',
  'review',
  'social',
  'news',
  'reference',
  'official',
  'other',
] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Sites of reviews and directories of businesses. */
const review = `
angi.com bbb.org booking.com bark.com capterra.com checkatrade.com clutch.co doctolib.de doctolib.fr expedia.com
feefo.com foursquare.com g2.com glassdoor.com goldenpages.ie google.com gelbeseiten.de herold.at holidaycheck.de
hotfrog.com hotpepper.jp houzz.com indeed.com jameda.de kununu.com local.ch mybuilder.com opentable.com
paginasamarillas.es paginegialle.it pagesjaunes.fr ratedpeople.com restaurantguru.com retty.me reviews.io
sitejabber.com tabelog.com telefonbuch.de thefork.com thomsonlocal.com thumbtack.com tripadvisor.com trustpilot.com
trustatrader.com yell.com yellowpages.com yelp.com zocdoc.com zomato.com`
/** Sites whose texts their users write. */
const social = `
bsky.app facebook.com gutefrage.net instagram.com linkedin.com mastodon.social medium.com mumsnet.com nextdoor.com
pinterest.com quora.com reddit.com snapchat.com stackexchange.com stackoverflow.com substack.com threads.net
tiktok.com twitter.com vimeo.com x.com youtube.com`
const news = `
abc.net.au apnews.com bbc.co.uk bbc.com bild.de bloomberg.com businessinsider.com cbc.ca cnbc.com cnn.com
corriere.it dailymail.co.uk economist.com elmundo.es elpais.com eater.com faz.net forbes.com foxnews.com ft.com
independent.co.uk irishtimes.com lefigaro.fr lemonde.fr metro.co.uk mirror.co.uk nbcnews.com npr.org nytimes.com
nzz.ch repubblica.it reuters.com sky.com spiegel.de standard.co.uk sueddeutsche.de telegraph.co.uk
theguardian.com thesun.co.uk thetimes.co.uk time.com timeout.com usatoday.com washingtonpost.com welt.de
wsj.com zeit.de`
const reference =
  'britannica.com dbpedia.org fandom.com openstreetmap.org wikidata.org wikipedia.org wikitravel.org wikivoyage.org'

const listOf = (domains: string, kind: SourceKind) =>
  domains
    .trim()
    .split(/\s+/)
    .map((domain): [string, SourceKind] => [domain, kind])

const known = new Map([
  ...listOf(review, 'review'),
  ...listOf(social, 'social'),
  ...listOf(news, 'news'),
  ...listOf(reference, 'reference'),
])

/** Endings of public bodies and schools. */
const official = /(?:^|\.)(?:gov|edu|mil|int|gob|gouv|govt|nhs|ac)(?:\.[a-z]{2})?$/

/**
 * Returns the kind of a source by its domain. The list of known sites is short, so `other` does not say what a site is.
 * The sites of competitors are those that the tracker names.
 */
export function kindOfSource(
  domain: string,
  isOwn: boolean,
  competitors: readonly { readonly domain?: string | undefined }[],
): SourceKind {
  if (isOwn) return 'own'
  const parents = parentsOf(domain.toLowerCase().replace(/^www\./, ''))
  const isCompetitor = competitors.some(
    ({ domain: rival = '' }) => rival !== '' && parents.includes(rival.toLowerCase().replace(/^www\./, '')),
  )
  if (isCompetitor) return 'competitor'
  for (const parent of parents) {
    const kind = known.get(parent)
    if (kind) return kind
  }
  return official.test(parents[0] ?? '') ? 'official' : 'other'
}

/** The domain itself and the domains that it is below. */
const parentsOf = (domain: string): string[] => {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
}
