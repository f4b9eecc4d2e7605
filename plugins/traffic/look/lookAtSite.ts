import { isServiceFault } from 'renown'
import type { SafeAnswer, SafeFetch } from 'renown/sources'
import { isBelow, isTrial } from '../sites/site-address'
import { forbiddenBy } from './csp'
import { type BeaconTag, readSitePage, type SitePage } from './readSitePage'
import { type Finding, type FindingCode, finding, findingTones } from './site-findings'

export interface Look {
  readonly safeFetch: SafeFetch
  /** Public origin of the ingest. */
  readonly ingestUrl: string
  /** The page to check. */
  readonly page: string
  readonly site: { readonly domain: string; readonly site_key: string; readonly is_active: boolean }
}

const pageBytesMax = 4 * 1024 * 1024
const scriptBytesMax = 64 * 1024
const timeoutMs = 8_000

/** Fetches a public page of the site, and returns the reasons why its beacon cannot work. */
export async function lookAtSite(look: Look): Promise<Finding[]> {
  const found = look.site.is_active ? [] : [finding('site_off')]
  // A local name means another machine for the person who opens the page.
  if (isOfMachine(new URL(look.page))) return [...found, finding('page_refused', new URL(look.page).host)]
  const answer = await fetched(look, look.page, pageBytesMax)
  if (isFinding(answer)) return [...found, answer, ...standing(look, look.page)]
  found.push(...standing(look, answer.url))
  const unfit = judge(answer, look)
  if (unfit) return [...found, unfit]
  found.push(finding('page_found', answer.url))
  const page = await readSitePage(answer.body, answer.url, look.site.site_key)
  const tag = page.tags.find(({ key }) => key === look.site.site_key)
  if (tag) found.push(finding('tag_found', tag.src.href), ...faultsOfTag(tag, answer, look))
  else found.push(...missing(page, answer, look))
  found.push(...policyFaults(page, tag, answer, look))
  if (tag) found.push(await served(look, tag))
  return found
}

function missing({ tags: [other], namesKey }: SitePage, answer: SafeAnswer, { site }: Look): Finding[] {
  const cached = answerAge(answer)
  return [
    other
      ? finding('tag_other_key', other.key, site.site_key)
      : finding(namesKey ? 'tag_as_text' : 'tag_missing'),
    ...(cached ? [finding('from_cache', cached)] : []),
  ]
}

async function fetched({ safeFetch }: Look, url: string, maxBytes: number): Promise<SafeAnswer | Finding> {
  try {
    return await safeFetch(url, {
      maxBytes,
      timeoutMs,
      redirects: 4,
      plainHttp: true,
      accept: 'text/html, */*',
    })
  } catch (error) {
    if (!isServiceFault(error)) throw error
    const code = `page_${error.code}`
    return finding(
      Object.hasOwn(findingTones, code) ? (code as FindingCode) : 'page_unreachable',
      error.message,
    )
  }
}

const isFinding = (answer: SafeAnswer | Finding): answer is Finding => 'code' in answer

/** Returns problems with the address of the ingest that do not depend on the page. */
function standing({ ingestUrl }: Look, page: string): Finding[] {
  const ingest = new URL(ingestUrl)
  const site = new URL(page)
  if (isOfMachine(ingest) && !isOfMachine(site)) return [finding('ingest_local', ingest.origin)]
  if (ingest.protocol === 'http:' && site.protocol === 'https:' && !isOfMachine(ingest))
    return [finding('mixed_content', ingest.origin)]
  return []
}

const isOfMachine = ({ hostname }: URL) => /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)

function judge({ url, status, headers }: SafeAnswer, { site }: Look): Finding | null {
  const { host, hostname } = new URL(url)
  if (!isTrial(site.domain) && !isBelow(hostname, site.domain))
    return finding('page_elsewhere', host, site.domain)
  if (status >= 400 || (status >= 300 && headers.has('location')))
    return finding('page_status', String(status))
  const type = headers.get('content-type') ?? ''
  return /html/i.test(type) || type === '' ? null : finding('page_no_html', type)
}

function faultsOfTag({ src, type }: BeaconTag, { url }: SafeAnswer, { ingestUrl }: Look): Finding[] {
  const found: Finding[] = []
  const kind = type.trim().toLowerCase()
  if (kind === 'module') found.push(finding('tag_module'))
  else if (kind !== '' && !/^(text|application)\/(x-)?(java|ecma)script$/.test(kind))
    found.push(finding('tag_held_back', type))
  if (src.origin !== ingestUrl && src.origin !== new URL(url).origin)
    found.push(finding('tag_other_host', src.origin, ingestUrl))
  return found
}

/** Checks the policies, even if the tag is missing, because a tag manager may add it later. */
function policyFaults(
  { policies }: SitePage,
  tag: BeaconTag | undefined,
  { headers, url }: SafeAnswer,
  { ingestUrl, site }: Look,
): Finding[] {
  const script = tag?.src ?? new URL(`${ingestUrl}/s/${site.site_key}.js`)
  const header = headers.get('content-security-policy')
  const asked = { policies: [...(header ? [header] : []), ...policies], page: new URL(url) }
  const address = new URL(script.href.replace(/\.js$/, ''))
  const barred = {
    csp_script: forbiddenBy({
      ...asked,
      kind: 'script',
      address: script,
      ...(tag?.nonce ? { nonce: tag.nonce } : {}),
    }),
    csp_connect: forbiddenBy({ ...asked, kind: 'connect', address }),
  }
  return (['csp_script', 'csp_connect'] as const).flatMap((code) => {
    const { [code]: directive } = barred
    return directive === null ? [] : [finding(code, directive, script.origin)]
  })
}

/** Checks from outside whether the address in the tag returns Renown's script. */
async function served(look: Look, { src }: BeaconTag): Promise<Finding> {
  const answer = await fetched(look, src.href, scriptBytesMax)
  if (isFinding(answer)) return finding('script_not_served', answer.detail ?? '', src.href)
  const isOurs = answer.status === 200 && new TextDecoder().decode(answer.body).includes('renown_check')
  return isOurs
    ? finding('script_served', src.origin)
    : finding('script_not_served', `It answers ${answer.status}.`, src.href)
}

/** Returns the age that a cache in front of the site states in its answers. */
function answerAge({ headers }: SafeAnswer): string | null {
  const age = Number(headers.get('age') ?? 0)
  if (age > 0) return `age: ${age}`
  for (const name of ['cf-cache-status', 'x-cache', 'x-cache-status', 'x-vercel-cache', 'x-proxy-cache']) {
    const said = headers.get(name)
    if (said && /\bhit\b/i.test(said)) return `${name}: ${said}`
  }
  return null
}
