import { Refusal, type Row, where } from 'renown'
import { englishText, type InboxEntry, type InboxSource, type PageContext } from 'renown/pages'
import { dueWhere } from '../board/list-leads'
import { unseenWhere } from '../board/load-board'
import { seeLead } from '../dispatch/lead-commands'
import { channelNames } from '../records/channel-names'
import { BusinessLocation } from '../records/foreign'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { cleanText } from '../sources/plain-text'
import { leadWords } from '../words'

const fields = [
  'location_id',
  'mention_id',
  'first_name',
  'last_name',
  'intent_reason',
  'intent_score',
  'created_date',
  'next_step',
  'due_at',
] as const
type Listed = Pick<Row<typeof Lead>, (typeof fields)[number] | 'id'>

/** Returns what entries of leads have in common: who, where, and what they wrote. */
async function entriesOf(ctx: PageContext, leads: readonly Listed[]) {
  const places = [...new Set(leads.map(({ location_id }) => location_id))]
  const posts = leads.map(({ mention_id }) => mention_id)
  if (leads.length === 0) return []
  const [locations, mentions] = await Promise.all([
    ctx.rows(BusinessLocation).list({
      where: where.in('id', places),
      limit: places.length,
      fields: ['business_name'],
    }),
    ctx.rows(Mention).list({
      where: where.in('id', posts),
      limit: posts.length,
      fields: ['author', 'excerpt', 'title', 'language', 'source'],
    }),
  ])
  const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
  const byId = new Map(mentions.map((mention) => [mention.id, mention]))
  return leads.map((lead) => {
    const mention = byId.get(lead.mention_id)
    const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
    const by =
      cleanText(name || mention?.author.name || mention?.author.handle || '', 80) ||
      leadWords('unknownAuthor')
    const text = cleanText(mention?.excerpt || mention?.title || '', 300)
    const lang = mention && mention.language !== 'und' ? { lang: mention.language } : {}
    const about = [mention && channelNames[mention.source], names.get(lead.location_id)]
    return {
      lead,
      by,
      about: about.filter(Boolean).join(' · '),
      ...(text === '' ? {} : { quote: { text, by, ...lang } }),
    }
  })
}

const linkTo = (id: string) => ({
  href: `/app/leads?${new URLSearchParams({ lead: id })}`,
  label: leadWords('openLead'),
})

/** New leads that nobody has seen. */
const newLeads: InboxSource = {
  name: 'leads',
  title: leadWords('kindLeads'),
  order: 15,
  icon: 'user',
  async list(ctx, limit) {
    const leads = await ctx.rows(Lead).list({
      where: unseenWhere,
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit,
      fields,
    })
    return (await entriesOf(ctx, leads)).map(
      ({ lead, by, ...entry }): InboxEntry => ({
        ...entry,
        id: lead.id,
        state: 'new',
        word: leadWords('new'),
        tone: 'warn',
        at: lead.created_date,
        title: leadWords('mayBuy', { name: by }),
        text: [
          leadWords('intentOf', { score: lead.intent_score }),
          ...(lead.intent_reason ? [lead.intent_reason] : []),
        ],
        link: linkTo(lead.id),
      }),
    )
  },
  action: {
    label: async () => leadWords('markSeen'),
    async run(ctx, { id }) {
      const row = await ctx.rows(Lead).get(id)
      const phrase = leadWords('noLead')
      if (!row) throw new Refusal('not_found', englishText(phrase), { phrase })
      await seeLead.perform(ctx.owner, { row, input: {} })
    },
  },
}

/** Next steps of open leads that are due. A new day or another step brings an entry back. */
const dueSteps: InboxSource = {
  name: 'next-steps',
  title: leadWords('kindSteps'),
  order: 16,
  icon: 'calendar',
  async list(ctx, limit) {
    const leads = await ctx.rows(Lead).list({
      where: dueWhere(ctx.now()),
      sort: [
        { field: 'due_at', direction: 'desc' },
        { field: 'id', direction: 'desc' },
      ],
      limit,
      fields,
    })
    return (await entriesOf(ctx, leads)).map(({ lead, by, about, ...entry }): InboxEntry => {
      const step = cleanText(lead.next_step ?? '', 200)
      return {
        ...entry,
        id: lead.id,
        state: `${lead.due_at} ${Bun.hash(step).toString(36)}`,
        title: step || leadWords('nextStep'),
        about: leadWords('nameAbout', { name: by, about }),
        word: leadWords('due'),
        tone: 'warn',
        at: lead.due_at ?? lead.created_date,
        link: linkTo(lead.id),
      }
    })
  },
  /** Returns when the next step of a lead becomes due. */
  async nextLook(ctx) {
    const [next] = await ctx.rows(Lead).list({
      where: where.and(where.gt('due_at', ctx.now().toISOString()), where.ne('is_archived', true)),
      sort: [
        { field: 'due_at', direction: 'asc' },
        { field: 'id', direction: 'asc' },
      ],
      limit: 1,
      fields: ['due_at'],
    })
    return next?.due_at ?? null
  },
}

/** The inbox sources of leads. */
export const leadEntries = [newLeads, dueSteps]
