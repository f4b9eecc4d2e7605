/** @jsxImportSource renown/web */
import { Button, Card, Form, Labelled, Row } from 'renown/web'
import { stageNames } from '../records/stage-names'
import { type LeadDetailProps, leadForm } from './lead-forms'

/** The buttons that move a lead, and the form for a lost one. */
export function LeadStage(props: LeadDetailProps) {
  const { data, of: lead, outcome } = props
  const form = leadForm(props, 'move')
  const hidden = { ...form.hidden, was: lead.stage }
  const open = data.moves[lead.stage]
  const fault = outcome?.action === 'move' ? outcome.faults?.lost_reason : undefined
  return (
    <div class="stack">
      <Form {...form} hidden={hidden} label="Move to a stage" inline>
        <Row>
          {open
            .filter((stage) => stage !== 'lost')
            .map((stage) => (
              <Button key={stage} kind="plain" name="stage" value={stage}>
                {`Move to ${stageNames[stage]}`}
              </Button>
            ))}
        </Row>
      </Form>
      {open.includes('lost') && (
        <Form {...form} hidden={{ ...hidden, stage: 'lost' }} label="Move to Lost">
          <Labelled
            name="lost"
            label="Why was it lost?"
            error={fault}
            control={(described) => (
              <input
                id="lost"
                name="lost_reason"
                maxlength={500}
                autocomplete="off"
                dir="auto"
                aria-invalid={fault ? 'true' : undefined}
                aria-describedby={described}
                autofocus={fault !== undefined}
              />
            )}
          />
          <Row>
            <Button kind="plain">Move to Lost</Button>
          </Row>
        </Form>
      )}
    </div>
  )
}

/** The form for what a person plans: who, what next, until when, and notes. */
export function LeadPlan(props: LeadDetailProps) {
  const { data, of: lead, outcome } = props
  const failed = outcome?.action === 'save' && !outcome.ok ? outcome : null
  const value = (name: string, stored: string) => {
    const typed = failed?.values?.[name]
    return typeof typed === 'string' ? typed : stored
  }
  const form = leadForm(props, 'save')
  const fault = (name: string) => failed?.faults?.[name]
  const text = (name: string, label: string, stored: string, maxlength: number) => (
    <Labelled
      name={name}
      label={label}
      error={fault(name)}
      control={(described) => (
        <input
          id={name}
          name={name}
          maxlength={maxlength}
          autocomplete="off"
          dir="auto"
          defaultValue={value(name, stored)}
          aria-invalid={fault(name) ? 'true' : undefined}
          aria-describedby={described}
        />
      )}
    />
  )
  return (
    <Card title="Plan">
      {lead.assigned_to !== data.me && (
        <Form {...takeForm(props)} label="Assign to me" inline>
          <Button kind="plain">Assign to me</Button>
        </Form>
      )}
      <Form {...form} hidden={{ ...form.hidden, basis: value('basis', lead.basis) }} label="Plan">
        {text('assigned_to', 'Assigned to', lead.assigned_to ?? '', 200)}
        {text('next_step', 'Next step', lead.next_step ?? '', 500)}
        <Labelled
          name="due_day"
          label="Due"
          error={fault('due_day')}
          control={(described) => (
            <input
              id="due_day"
              name="due_day"
              type="date"
              defaultValue={value('due_day', lead.due_day)}
              aria-describedby={described}
            />
          )}
        />
        <Labelled
          name="notes"
          label="Notes"
          error={fault('notes')}
          control={(described) => (
            <textarea
              id="notes"
              name="notes"
              rows={4}
              dir="auto"
              defaultValue={value('notes', lead.notes)}
              aria-describedby={described}
            />
          )}
        />
        <Row>
          <Button>Save plan</Button>
        </Row>
      </Form>
    </Card>
  )
}

function takeForm(props: LeadDetailProps) {
  const form = leadForm(props, 'take')
  return { ...form, hidden: { ...form.hidden, to: props.data.me } }
}
