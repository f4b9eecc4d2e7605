import type { Row } from '../../../../core/contracts/entity'
import { inbox } from '../../../../core/product/inbox-plugin'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { type GateOptions, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

type MentionRow = Row<typeof Mention>

/** The product with a location and a tracker, an owner who is signed in, and mentions that the test puts. */
export async function mentionPages(options: Omit<GateOptions, 'plugins'> = {}) {
  const gate = await startGate({ ...options, plugins: [...builtin, jobs, inbox] })
  const visitorOf = async (name: string): Promise<Visitor> => {
    const { cookie } = await signedIn(gate, { email: `${name}@acme.example` })
    const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
    const at = cookie.indexOf('=')
    visitor.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
    return visitor
  }
  const base = { is_active: true, is_prospect: false, auto_response_enabled: false } as const
  const location = await gate.put(BusinessLocation, {
    business_name: 'Harbour Bakehouse',
    city: 'Leeds',
    website: 'https://harbour.example',
    ...base,
  })
  const trackerRow = {
    location_id: location.id,
    name: 'Harbour',
    keywords: ['"blue bottle"'],
    required_keywords: [],
    excluded_keywords: [],
    sources: [],
    languages: [],
    countries: [],
    is_active: true,
    mentions_total: 0,
  }
  const tracker = await gate.put(BrandTracker, trackerRow)
  let made = 0
  const mention = (more: Partial<MentionRow> = {}, workspaceId?: string): Promise<MentionRow> => {
    made++
    const body = more.body ?? 'A blue bottle in Leeds'
    const at = new Date(gate.owner.now().getTime() - made * 60_000).toISOString()
    return gate.put(
      Mention,
      {
        location_id: location.id,
        tracker_id: tracker.id,
        source: 'forum',
        source_id: `p${made}`,
        url: `https://forum.example/${made}`,
        body,
        excerpt: body.slice(0, 200),
        language: 'en',
        author: { handle: `person${made}` },
        posted_at: at,
        discovered_at: at,
        created_date: at,
        matched_keywords: ['"blue bottle"'],
        is_lead: false,
        status: 'new',
        is_read: false,
        is_archived: false,
        tags: [],
        relevance: 'relevant',
        relevance_score: 80,
        ...more,
      },
      workspaceId,
    )
  }
  const ada = await visitorOf('ada')
  /** Opens the kind of mentions in the inbox. */
  const inboxPage = () => ada.open('/app/inbox?kind=mentions')
  return { gate, location, tracker, trackerRow, mention, visitorOf, ada, inbox: inboxPage }
}
export type MentionPages = Awaited<ReturnType<typeof mentionPages>>
