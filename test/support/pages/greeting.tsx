/** @jsxImportSource renown/web */
import { Button, Form, Head, type PublicPageProps } from 'renown/web'

/** A page for people without an account. */
export default function Greeting({ data, path, outcome, agency }: PublicPageProps<{ text: string }>) {
  return (
    <>
      <Head title={data.text}>{agency}</Head>
      {outcome && <p id="fault">{outcome.fault}</p>}
      <Form action={path} csrf="">
        <Button name="answer" value="yes">
          Yes
        </Button>
      </Form>
    </>
  )
}
