/** @jsxImportSource renown/web */
import { Button, Checkbox, Field, Form, Labelled, Notice, type PageProps, Row, Select } from 'renown/web'
import type { ReportsData } from './reports-page'

/** The form that makes a schedule. */
export function ScheduleForm({ data, csrf, outcome, path }: PageProps<ReportsData>) {
  const refused = outcome && !outcome.ok && outcome.action === 'schedule' ? outcome : null
  const typed = (name: string) => String(refused?.values?.[name] ?? '')
  return (
    <Form action={`${path}/schedule`} csrf={csrf} label="Make a schedule">
      {refused && (
        <Notice tone="bad" title="It was not made">
          {refused.fault}
        </Notice>
      )}
      <Select
        name="location"
        label="Location"
        options={data.locations}
        value={typed('location') || data.list.asked.location || data.locations[0]?.[0]}
        error={refused?.faults?.location}
      />
      <Select
        name="template"
        label="Kind"
        options={data.templates}
        value={typed('template') || 'monthly_reputation_report'}
        error={refused?.faults?.template}
      />
      <Select
        name="cadence"
        label="How often"
        options={['weekly', 'monthly', 'quarterly']}
        value={typed('cadence') || 'monthly'}
        error={refused?.faults?.cadence}
      />
      <Field
        name="day"
        label="Day"
        value={refused ? typed('day') : '1'}
        inputmode="numeric"
        hint="Of the week (1 is Monday), of the month, or of the first month of a quarter."
        error={refused?.faults?.day}
        autocomplete="off"
      />
      <Labelled
        name="recipients"
        label="Recipients"
        hint="Email addresses, one on each line. People outside your agency confirm once."
        error={refused?.faults?.recipients}
        control={(described) => (
          <textarea
            id="recipients"
            name="recipients"
            rows={3}
            defaultValue={typed('recipients')}
            aria-describedby={described}
            aria-invalid={refused?.faults?.recipients ? 'true' : undefined}
          />
        )}
      />
      <Checkbox
        name="review_first"
        label="Let me look at it first"
        hint="It is sent 24 hours after it is made, unless you send or hold it before. Its figures are final: the period has ended."
        checked={typed('review_first') === 'yes'}
      />
      <Checkbox
        name="keep_paragraph"
        label="Keep the paragraph"
        hint="A new report begins with the paragraph of the one before."
        checked={typed('keep_paragraph') === 'yes'}
      />
      <Row>
        <Button kind="plain">Make the schedule</Button>
      </Row>
    </Form>
  )
}
