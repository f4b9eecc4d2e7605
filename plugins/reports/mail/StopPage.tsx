/** @jsxImportSource renown/web */
import { Button, Card, Form, Head, type PublicPageProps } from 'renown/web'
import type { RecipientData } from './public-mail'

/** A recipient stops mail. */
export default function StopPage({ data, path }: PublicPageProps<RecipientData>) {
  if (data.state === 'stopped') {
    return (
      <Card>
        <Head title="Reports stopped">
          You get no more reports about <bdi>{data.business}</bdi> by email.
        </Head>
      </Card>
    )
  }
  return (
    <Card>
      <Head title="Stop reports">
        You get reports about <bdi>{data.business}</bdi> by email.
      </Head>
      <Form action={path} csrf="" hidden={{ 'List-Unsubscribe': 'One-Click' }} label="Stop reports">
        <Button>Stop reports</Button>
      </Form>
    </Card>
  )
}
