import { actForm, actsOnPage, definePage, type PageContext } from 'renown/pages'
import { Agency, Workspace } from 'renown/records'
import { publicOrigin } from 'renown/sources'
import type { ReportTree } from '../blocks/block'
import { brandRules } from '../branding/brand-rules'
import { brandingOf, dataUrlOf, pictureOf } from '../branding/branding'
import { setBrandingAct } from '../branding/branding-commands'
import { reportStyle } from '../html/report-style'
import { reportWords } from '../words'

/** The data of the page. */
export interface BrandingData {
  readonly sender_name: string
  readonly color: string
  readonly color_dark: string
  readonly shows_renown: boolean
  readonly logo: string | null
  readonly agency: string
  /** Where the links of reports lead. */
  readonly origin: string
  readonly has_domain: boolean
  readonly may_change: boolean
  /** A sample, as a report looks now. */
  readonly sample: ReportTree
}

const path = '/app/settings/branding'

/** How the reports of the agency look: logo, colors, sender, and a sample. */
export const brandingPage = definePage<BrandingData>({
  path,
  title: 'Branding',
  only: 'owner',
  nav: { label: reportWords('navBranding'), order: 92, group: 'settings' },
  module: new URL('./BrandingPage.tsx', import.meta.url),
  isStatic: true,
  load: loadBranding,
  headOf({ sample }) {
    const rules = brandRules(sample.brand)
    return rules === undefined ? {} : { rules }
  },
  submit: actForm(setBrandingAct, 'saved', {
    to: (_, done) => `${path}?${new URLSearchParams({ done })}`,
  }),
  notices: actsOnPage({ set: setBrandingAct }).notices,
  style: reportStyle,
})

async function loadBranding(ctx: PageContext): Promise<BrandingData> {
  const { agency_id } = ctx.workspace
  const [branding, agency, workspace] = await Promise.all([
    brandingOf(ctx.system, agency_id),
    ctx.system.rows(Agency).get(agency_id),
    ctx.system.rows(Workspace).get(ctx.workspace.id),
  ])
  const name = agency?.name ?? ''
  const brand = branding && { ...branding, agency_id }
  return {
    sender_name: branding?.sender_name ?? '',
    color: branding?.color ?? '',
    color_dark: branding?.color_dark ?? '',
    shows_renown: branding?.shows_renown ?? false,
    logo: dataUrlOf(await pictureOf(ctx.system, brand ?? undefined)),
    agency: name,
    origin: publicOrigin(ctx, workspace),
    may_change: !ctx.isDemo,
    has_domain: workspace?.white_label_domain !== undefined,
    sample: {
      ...sampleTree,
      from: branding?.sender_name ?? name,
      ...(brand ? { brand } : {}),
    },
  }
}

const figure = (id: string, label: string, value: number, previous: number) => ({
  id,
  label,
  value,
  previous,
  unit: 'count' as const,
  better: 'higher' as const,
  definition: 'sample@1',
})

/** A report with sample figures. It says so. */
const sampleTree: ReportTree = {
  title: 'Reputation report',
  subject: 'Sample Bakery',
  period: 'October 2026',
  from: '',
  dataHash: '0'.repeat(64),
  sections: [
    {
      name: 'summary',
      title: 'Summary',
      blocks: [
        { kind: 'note', text: 'The figures of this report are samples.' },
        {
          kind: 'figures',
          figures: [
            figure('sample.reviews', 'New reviews', 42, 35),
            figure('sample.leads', 'New leads', 9, 6),
          ],
        },
      ],
    },
    {
      name: 'next',
      title: 'What to do next',
      blocks: [
        { kind: 'next', items: [{ text: 'Reply to 3 reviews', because: 'They wait for more than 2 days.' }] },
      ],
    },
  ],
  definitions: [],
}
