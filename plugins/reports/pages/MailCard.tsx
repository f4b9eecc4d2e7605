/** @jsxImportSource renown/web */
import { Button, Card, Form, Moment, type PageProps, Row, StateWord } from 'renown/web'
import { Mails, NoMailServer, Recipients } from './MailParts'
import type { ReportData } from './report-page'

const path = '/app/reports/one'

/** Who gets a report by mail, when, and the state of each message. */
export function MailCard({ data, csrf, outcome }: PageProps<ReportData>) {
  const { mailing, mail } = data
  if (!mailing) return null
  const own = { report: data.id, id: data.id, back: `${path}?report=${data.id}` }
  const parts = { mailing, csrf, outcome, path, own }
  const canHold = mail.state === 'planned' || (mail.state === 'released' && mailing.mails.some(isOpen))
  return (
    <Card title="Mail">
      {!mailing.isConfigured && <NoMailServer />}
      <MailState of={mail} />
      <Row>
        {mailing.isConfigured && data.status === 'completed' && (
          <Form action={`${path}/send`} csrf={csrf} hidden={own} inline label="Send now">
            <Button kind="plain">Send now</Button>
          </Form>
        )}
        {canHold && (
          <Form action={`${path}/hold`} csrf={csrf} hidden={own} inline label="Hold">
            <Button kind="plain">Hold</Button>
          </Form>
        )}
      </Row>
      <Mails {...parts} />
      <Recipients {...parts} />
    </Card>
  )
}

const isOpen = ({ state }: { readonly state: string }) => state === 'queued'

function MailState({ of: { state, at, note } }: { readonly of: ReportData['mail'] }) {
  if (state === null) return null
  if (state === 'planned') {
    return (
      <p>
        <StateWord tone="warn">Planned</StateWord> Recipients get it <Moment at={at ?? ''} />. You can edit
        the paragraph, send it now, or hold it.
      </p>
    )
  }
  if (state === 'held') {
    return (
      <p>
        <StateWord tone="warn">Held</StateWord> It is not mailed until you send it.
      </p>
    )
  }
  return state === 'cancelled' ? (
    <p>
      <StateWord>Not mailed</StateWord> {note}
    </p>
  ) : null
}
