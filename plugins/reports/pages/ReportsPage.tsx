/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Field,
  Form,
  Halves,
  Head,
  Listed,
  Moment,
  Notice,
  type PageProps,
  Row,
  Select,
  Table,
} from 'renown/web'
import { periodChoices } from '../data/period-choices'
import type { ReportsData } from './reports-page'
import { ScheduleForm } from './ScheduleForm'

/** The list of reports, with a form to make one. */
export default function ReportsPage(page: PageProps<ReportsData>) {
  const { data } = page
  return (
    <>
      <Head title="Reports">
        What happened to a location in a period. The data of a report is frozen when it is made.
      </Head>
      <Listed of={data.list} page={page} />
      {data.mayMake && data.locations.length > 0 && <Make {...page} />}
      <Schedules {...page} />
    </>
  )
}

function Schedules(page: PageProps<ReportsData>) {
  const { data, csrf, path } = page
  if (data.schedules.length === 0 && !data.maySchedule) return null
  return (
    <Card title="Schedules" about="Reports of the last full week, month or quarter, made from 6 o'clock on.">
      {data.schedules.length > 0 && (
        <Table
          label="Schedules"
          columns={['Report', 'When', 'Next', '']}
          rows={data.schedules.map(({ id, title, business, when, next }) => [
            <a key="what" href={`/app/reports/scheduled?schedule=${id}`}>
              {title}, <bdi>{business}</bdi>
            </a>,
            when,
            next === null ? 'off' : <Moment key="next" at={next} />,
            data.maySchedule ? (
              <Form
                key="remove"
                action={`${path}/unschedule`}
                csrf={csrf}
                hidden={{ id }}
                inline
                label="Remove"
              >
                <Button kind="quiet">Remove</Button>
              </Form>
            ) : (
              ''
            ),
          ])}
        />
      )}
      {data.maySchedule && data.locations.length > 0 && <ScheduleForm {...page} />}
    </Card>
  )
}

function Make({ data, csrf, outcome, path }: PageProps<ReportsData>) {
  const refused = outcome && !outcome.ok && outcome.action === 'submit' ? outcome : null
  const typed = (name: string) => String(refused?.values?.[name] ?? '')
  const fault = (name: string) => refused?.faults?.[name]
  return (
    <Card title="Make a report">
      {refused && (
        <Notice tone="bad" title="It was not made">
          {refused.fault}
        </Notice>
      )}
      <Form action={path} csrf={csrf} label="Make a report">
        <Select
          name="business_location_id"
          label="Location"
          options={data.locations}
          value={typed('business_location_id') || data.list.asked.location || data.locations[0]?.[0]}
          error={fault('business_location_id')}
        />
        <Select
          name="template"
          label="Kind"
          options={data.templates}
          value={typed('template') || 'monthly_reputation_report'}
          error={fault('template')}
        />
        <Select
          name="period"
          label="Period"
          options={periodChoices}
          value={typed('period') || (refused ? 'days' : 'last_month')}
          error={fault('period')}
        />
        <details class="fold" open={['period_start', 'period_end', 'period'].some((name) => fault(name))}>
          <summary>Own days</summary>
          <Halves>
            <Field
              name="period_start"
              label="First day"
              type="date"
              value={typed('period_start')}
              max={data.today}
              hint="For the period “Own days”."
              error={fault('period_start')}
              optional
            />
            <Field
              name="period_end"
              label="Last day"
              type="date"
              value={typed('period_end')}
              max={data.today}
              hint="At most 366 days."
              error={fault('period_end')}
              optional
            />
          </Halves>
        </details>
        <Row>
          <Button>Make the report</Button>
        </Row>
      </Form>
    </Card>
  )
}
