/** @jsxImportSource ../../kit/jsx */
import { refusedField } from '../../../kit/refused-field'
import { languageName, languageOf, languages } from '../../framework/language'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, Card, Form, Row, Select } from '../../kit/parts/kit'
import type { PersonPageDeps } from '../sign-in/person-pages'

const path = '/app/account/language'

/** The form that chooses the language of a person's pages. */
export const languagePages = (deps: Pick<PersonPageDeps, 'people'>): Route[] => [
  defineRoute({
    path,
    method: 'POST',
    auth: 'session',
    back: '/app/account',
    async handle({ form, person, redirect }) {
      const language = languages.find((each) => each === form.get('language'))
      if (language === undefined)
        throw refusedField('language', `\`language\` must be one of ${languages.join(', ')}.`)
      await deps.people.setPreferences(person, { language })
      return redirect('/app/account?done=language')
    },
  }),
]

/** The languages that have words. Pages that are not translated yet stay in English. */
export const Language = ({ csrf, person }: Pick<SignedIn, 'csrf' | 'person'>) => (
  <Card id="language" title="Language">
    <Form action={path} csrf={csrf} label="Language">
      <Select
        name="language"
        label="Language of the pages"
        hint="Pages that are not translated yet stay in English."
        options={languages.map((each) => [each, languageName(each)] as const)}
        value={languageOf(person)}
      />
      <Row>
        <Button kind="plain">Save language</Button>
      </Row>
    </Form>
  </Card>
)
