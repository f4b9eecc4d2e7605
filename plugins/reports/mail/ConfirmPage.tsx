/** @jsxImportSource renown/web */
import { Button, Card, Form, Head, type PublicPageProps } from 'renown/web'
import type { RecipientData } from './public-mail'

/** A recipient confirms the address. */
export default function ConfirmPage({ data, path, agency }: PublicPageProps<RecipientData>) {
  if (data.state !== 'pending') {
    return (
      <Card>
        <Head title={data.state === 'confirmed' ? 'You are on the list' : 'You get no mail'}>
          {data.state === 'confirmed' ? 'You get reports about ' : 'You stopped reports about '}
          <bdi>{data.business}</bdi>
          {data.state === 'confirmed' ? ' by email. Each message has a link that stops them.' : '.'}
        </Head>
      </Card>
    )
  }
  return (
    <Card>
      <Head title="Confirm reports">
        <bdi>{agency}</bdi> wants to send you reports about <bdi>{data.business}</bdi> by email.
      </Head>
      <Form action={path} csrf="" label="Confirm reports">
        <Button>Confirm</Button>
      </Form>
    </Card>
  )
}
