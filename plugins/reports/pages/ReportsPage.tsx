/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Empty,
  Field,
  Form,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  Select,
  StateWord,
  Table,
} from 'renown/web'
import type { ListedReport, ReportsData } from './reports-page'

/** The list of reports, with a form to make one. */
export default function ReportsPage(page: PageProps<ReportsData>) {
  const { data } = page
  return (
    <>
      <Head title="Reports">
        What happened to a location in a period. The data of a report is frozen when it is made.
      </Head>
      <Card>
        {data.reports.length === 0 ? (
          <Empty text="No reports yet. Make the first one below." />
        ) : (
          <Table
            label="Reports"
            columns={['Report', 'Period', 'State', 'Made', 'Shared', 'PDF']}
            rows={data.reports.map((report) => [
              <a key="open" href={`/app/reports/one?report=${report.id}`}>
                {report.title}, <bdi>{report.business}</bdi>
              </a>,
              report.period,
              <State key="state" of={report} />,
              <Moment key="at" at={report.created} />,
              report.is_shared ? `yes, ${report.views} views` : 'no',
              report.pdf_url === null ? '–' : <a href={report.pdf_url}>PDF</a>,
            ])}
          />
        )}
        {data.before !== null && (
          <Row>
            <ButtonLink href={`/app/reports?before=${encodeURIComponent(data.before)}`}>
              Older reports
            </ButtonLink>
          </Row>
        )}
      </Card>
      {data.mayMake && data.locations.length > 0 && <Make {...page} />}
    </>
  )
}

const words = {
  queued: 'waiting',
  rendering: 'being made',
  completed: 'completed',
  failed: 'failed',
} as const
const tones = { queued: 'plain', rendering: 'plain', completed: 'good', failed: 'bad' } as const

/** The state of a report in words. */
export const State = ({ of }: { readonly of: Pick<ListedReport, 'status' | 'error'> }) => (
  <>
    <StateWord tone={tones[of.status]}>{words[of.status]}</StateWord>
    {of.error !== null && <span class="under">{of.error}</span>}
  </>
)

function Make({ data, csrf, outcome, path, workspace }: PageProps<ReportsData>) {
  const refused = outcome && !outcome.ok ? outcome : null
  const typed = (name: string) => String(refused?.values?.[name] ?? '')
  const fault = (name: string) => refused?.faults?.[name]
  return (
    <Card title="Make a report">
      {refused && (
        <Notice tone="bad" title="It was not made">
          {refused.fault}
        </Notice>
      )}
      <Form action={path} csrf={csrf} hidden={{ workspace: workspace.id }} label="Make a report">
        <Select
          name="business_location_id"
          label="Location"
          options={data.locations}
          value={typed('business_location_id') || data.location || data.locations[0]?.[0]}
          error={fault('business_location_id')}
        />
        <Select
          name="template"
          label="Kind"
          options={data.templates}
          value={typed('template') || 'monthly_reputation_report'}
          error={fault('template')}
        />
        <Field
          name="period_start"
          label="First day"
          value={typed('period_start')}
          placeholder="2026-10-01"
          hint="Leave both days empty for the last full month."
          error={fault('period_start')}
          autocomplete="off"
          optional
        />
        <Field
          name="period_end"
          label="Last day"
          value={typed('period_end')}
          placeholder="2026-10-31"
          error={fault('period_end')}
          autocomplete="off"
          optional
        />
        <Row>
          <Button>Make the report</Button>
        </Row>
      </Form>
    </Card>
  )
}
