import { isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import * as v from 'valibot'
import type { EnrichedRow } from '../EnrichedLocation'
import type { SitePage } from '../website/page'
import { cleanText } from '../website/text'
import { ownWords } from './own-words'
import type { Findings, Understood } from './profile'

const line = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max))
const answer = v.strictObject({
  about: v.nullable(line(800)),
  services: v.pipe(v.array(line(80)), v.maxLength(20)),
  attributes: v.pipe(v.array(line(80)), v.maxLength(20)),
  service_area: v.nullable(line(200)),
  languages: v.pipe(v.array(line(35)), v.maxLength(8)),
})

/** Maximum characters of all pages together. More text adds nothing new for a model. */
const charactersMax = 16_000
const pieceMax = 1_800

const instructions =
  "From a business's own web pages and its listing, say what the business is. `about` is two or three plain sentences on what it " +
  'does, for whom and where; null where the pages do not tell. `services` are the services or kinds of goods that it offers, as short ' +
  'names, most important first. `attributes` are facts such as wheelchair access or free parking. `service_area` is the area that it ' +
  'serves, null where none is named. `languages` are those in which it says that it serves customers, as BCP 47 tags. Say nothing that ' +
  'the pages do not say, praise nothing, and name no links, mail addresses or telephone numbers. Use the language of the pages.'

/**
 * Returns what a language model finds in the texts, or null if there is no model or it fails. Drops every
 * part that names an unknown link, address or number, or shares no word with the texts.
 */
export async function understand(
  ctx: Pick<OwnerContext, 'outbound' | 'log'>,
  location: EnrichedRow,
  findings: Findings,
  signal: AbortSignal,
): Promise<Understood | null> {
  const { model } = ctx.outbound
  if (!model.isConfigured) return null
  try {
    const told = await model.ask({
      name: 'business_profile',
      instructions,
      answer,
      workspace_id: location.workspace_id,
      signal,
      data: dataOf(location, findings),
      isBackground: true,
    })
    return checked(told, findings)
  } catch (error) {
    if (!isServiceFault(error)) throw error
    const { kind, message, code, retryAfterMs } = error
    // After a temporary fault, the whole job is tried again, which uses up an attempt. Without a model, only
    // the structured data is used.
    if (kind === 'transient' || kind === 'rate')
      throw new ServiceFault('transient', message, { code, retryAfterMs })
    ctx.log.info('a profile is made without the language model', {
      location_id: location.id,
      why: message,
    })
    return null
  }
}

function checked(told: v.InferOutput<typeof answer>, findings: Findings): Understood {
  const words = ownWords(findings)
  const kept = (texts: readonly string[]) =>
    texts.map((text) => cleanText(text, 80)).filter((text) => words.holds(text) && words.knows(text))
  const whole = (text: string | null, max: number) => {
    const clean = cleanText(text ?? '', max)
    return clean !== '' && words.holds(clean) && words.knows(clean) ? clean : null
  }
  return {
    about: whole(told.about, 800),
    services: kept(told.services),
    attributes: kept(told.attributes),
    service_area: whole(told.service_area, 200),
    languages: told.languages,
  }
}

function dataOf({ business_name, business_category, city }: EnrichedRow, { site, listing }: Findings) {
  let room: number = charactersMax
  const fitted = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const piece = text.slice(0, Math.min(room, pieceMax)).toWellFormed()
      room -= piece.length
      return piece === '' ? [] : [piece]
    })
  return {
    business: { name: business_name, category: business_category, city },
    listing: listing && {
      about: listing.about,
      services: listing.services.slice(0, 30),
      attributes: listing.attributes.slice(0, 30),
      area: listing.area,
    },
    pages: (site?.pages ?? []).map(({ url, title, description, headings, blocks }: SitePage) => ({
      path: new URL(url).pathname.slice(0, 200),
      title,
      description: fitted([description])[0],
      headings: fitted(headings.slice(0, 20)),
      text: fitted(blocks),
    })),
  }
}
