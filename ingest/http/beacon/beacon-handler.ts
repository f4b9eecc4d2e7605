import type { Settings } from 'renown/contracts'
import { JournalRefusal } from '../../journal/journal'
import { isOriginOfSite } from '../../sites/site-host'
import type { Sites } from '../../sites/sites'
import { createBodyReader } from '../body'
import { headerOf } from '../header'
import { createBuckets } from '../limits'
import { noSuchAddress, problem, type Refuse } from '../problem'
import { type BeaconDeps, countArrival, openToAll, serveScript } from './beacon'

const beaconBytesMax = 8 * 1024
const noSuchSite = problem('not_found', 'No site has this key.')

/** Handles the beacon: the script of a site, and its posts. */
export function createBeaconHandler(
  deps: BeaconDeps & { readonly settings: Settings; readonly sites: Sites },
  refuse: Refuse,
) {
  const { settings, sites, journal, signals, now } = deps
  const perSecond = settings.INGEST_BEACONS_PER_SECOND
  const bucket = createBuckets(perSecond, perSecond * 10, now)
  const sizes = { wireBytesMax: beaconBytesMax, inflatedBytesMax: beaconBytesMax }
  const read = createBodyReader({ ...sizes, arrivalMsMax: 10_000 }, now)

  return async (request: Request, name: string) => {
    const isScript = name.endsWith('.js')
    const site = sites.byKey(isScript ? name.slice(0, -3) : name)
    if (!site?.is_active) return refuse(request, noSuchSite, openToAll)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isScript && isRead) {
      if (isOriginOfSite(headerOf(request.headers, 'referer'), site.domain)) signals.scriptFound(site.site_id)
      return serveScript(site, request.headers, deps.agents.current.beaconLists)
    }
    if (request.method === 'OPTIONS') return preflight()
    if (isScript || request.method !== 'POST') return refuse(request, noSuchAddress, openToAll)
    const wait = bucket.wait(site.site_id)
    if (wait > 0)
      return refuse(
        request,
        problem('quota_exceeded', 'Too many visits are arriving at once. Try again later.', wait),
        openToAll,
      )
    bucket.charge(site.site_id, 1)
    const reason = journal.refusal()
    if (reason)
      return refuse(request, problem('unavailable', `Visits cannot be counted now: ${reason}.`, 5), openToAll)
    const body = await read(request)
    if ('code' in body) return refuse(request, body, openToAll)
    try {
      const isCounted = await countArrival(deps, site, request.headers, body.text)
      return new Response(null, {
        status: 204,
        headers: { ...openToAll, 'x-counted': isCounted ? '1' : '0' },
      })
    } catch (error) {
      if (!(error instanceof JournalRefusal)) throw error
      return refuse(
        request,
        problem('unavailable', `Visits cannot be counted now: ${error.message}.`, 5),
        openToAll,
      )
    } finally {
      body.release()
    }
  }
}

const preflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToAll,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '86400',
    },
  })
