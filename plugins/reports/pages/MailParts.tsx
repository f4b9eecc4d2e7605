/** @jsxImportSource renown/web */
import { Button, Field, Form, Moment, Notice, type PageProps, Row, StateWord, Table } from 'renown/web'
import type { ShownMail, ShownMailing, ShownRecipient } from './mail-data'

interface Props extends Pick<PageProps<unknown>, 'csrf' | 'outcome'> {
  readonly mailing: ShownMailing
  /** The address of the page. */
  readonly path: string
  /** The form fields that name its record. */
  readonly own: Readonly<Record<string, string>>
}

const recipientWords = {
  pending: ['Not confirmed', 'warn'],
  confirmed: ['Confirmed', 'good'],
  stopped: ['Stopped', 'plain'],
} as const

const mailWords = {
  queued: ['Waiting', 'warn'],
  sending: ['Being sent', 'warn'],
  sent: ['Sent', 'good'],
  failed: ['Failed', 'bad'],
  unknown: ['Unknown', 'bad'],
  cancelled: ['Cancelled', 'plain'],
} as const

/** Says which settings mail needs. */
export const NoMailServer = () => (
  <Notice tone="warn" title="No mail server is set up">
    Reports are not mailed. Operators set <code>SMTP_URL</code> and <code>MAIL_FROM</code>.
  </Notice>
)

/** The people who get mail, with a form to add one. */
export function Recipients({ mailing, csrf, outcome, path, own }: Props) {
  const failed = outcome && !outcome.ok && outcome.action === 'add-recipient' ? outcome : null
  return (
    <>
      {mailing.recipients.length > 0 && (
        <Table
          label="Recipients"
          columns={['Recipient', 'State', '']}
          rows={mailing.recipients.map((one) => [
            <bdi key="email">{one.email}</bdi>,
            <StateWord key="state" tone={recipientWords[one.state][1]}>
              {recipientWords[one.state][0]}
            </StateWord>,
            <RecipientButtons key="act" of={one} csrf={csrf} path={path} own={own} />,
          ])}
        />
      )}
      <Form action={`${path}/add-recipient`} csrf={csrf} hidden={own} label="Add a recipient">
        <Field
          name="email"
          label="Email address"
          type="email"
          value={String(failed?.values?.email ?? '')}
          hint="People of your agency get mail at once. Everybody else confirms once by a link."
          error={failed?.faults?.email}
          autocomplete="off"
        />
        <Row>
          <Button kind="plain">Add recipient</Button>
        </Row>
      </Form>
    </>
  )
}

interface ButtonsProps extends Pick<Props, 'csrf' | 'path' | 'own'> {
  readonly of: ShownRecipient
}

function RecipientButtons({ of: { id, state }, csrf, path, own }: ButtonsProps) {
  const form = { csrf, hidden: { ...pageOf(own), recipient: id }, inline: true } as const
  if (state === 'stopped') return <span class="hint">asked for no more mail</span>
  return (
    <Row>
      {state === 'pending' && (
        <Form {...form} action={`${path}/ask-again`} label="Ask again">
          <Button kind="quiet">Ask again</Button>
        </Form>
      )}
      <Form {...form} action={`${path}/remove-recipient`} label="Remove">
        <Button kind="quiet">Remove</Button>
      </Form>
    </Row>
  )
}

/** Returns the fields that name the page, without the record of acts on it. */
const pageOf = ({ id: _, ...page }: Props['own']) => page

/** The messages, newest first. */
export const Mails = ({ mailing, csrf, path, own }: Props) =>
  mailing.mails.length === 0 ? null : (
    <Table
      label="Messages"
      columns={['Message to', 'State', 'When', '']}
      rows={mailing.mails.map((mail) => [
        <bdi key="email">{mail.email}</bdi>,
        <span key="state">
          <StateWord tone={mailWords[mail.state][1]}>{mailWords[mail.state][0]}</StateWord>
          {mail.error !== null && <span class="report-why hint">{mail.error}</span>}
        </span>,
        <Moment key="at" at={mail.at} />,
        <Decide key="decide" of={mail} csrf={csrf} path={path} own={own} />,
      ])}
    />
  )

interface DecideProps extends Pick<Props, 'csrf' | 'path' | 'own'> {
  readonly of: ShownMail
}

function Decide({ of: { id, state }, csrf, path, own }: DecideProps) {
  if (state !== 'unknown' && state !== 'failed') return null
  return (
    <Form action={`${path}/decide`} csrf={csrf} hidden={{ ...pageOf(own), mail: id }} inline label="Decide">
      {state === 'unknown' && (
        <Button kind="quiet" name="decision" value="arrived">
          It arrived
        </Button>
      )}
      <Button kind="quiet" name="decision" value="again">
        Send again
      </Button>
    </Form>
  )
}
