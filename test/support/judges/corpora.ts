import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

/** The folder of the labelled texts. It is not part of the package. */
export const corporaFolder = join(import.meta.dir, '../../../corpora')

/** The languages in which texts were written, in the order of their number of texts. */
export const corpusLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'tr', 'ru', 'ar'] as const

const words = v.pipe(v.string(), v.trim(), v.minLength(1))
const answerLabel = v.strictObject({
  mentioned: v.boolean(),
  recommended: v.boolean(),
  stance: v.picklist(['positive', 'neutral', 'negative', 'none']),
})

/** Writers also knew a mixed stance. Labellers had to decide. */
const answerMeant = v.strictObject({
  ...answerLabel.entries,
  stance: v.picklist(['positive', 'neutral', 'negative', 'mixed', 'none']),
})

function lineOf<const Inputs extends v.ObjectEntries, Label extends v.GenericSchema>(
  inputs: Inputs,
  label: Label,
  meant: v.GenericSchema = label,
) {
  return v.strictObject({
    id: v.pipe(v.string(), v.regex(/^[a-z]2?(?:-[a-z]{2})?-\d{3}$/)),
    language: v.picklist(corpusLanguages),
    ...inputs,
    /** What the labeller said, who did not know what the writer meant. */
    label,
    /** The words that the label rests on, copied from the text. */
    quote: v.optional(words),
    /** Whether the labeller was in doubt. */
    doubt: v.boolean(),
    /** What the writer meant, if it is another label. */
    written_as: v.optional(meant),
  })
}

/** The schema of a line, by the judge that the texts are for. */
export const corpusSchemas = {
  relevance: lineOf({ brand: words, text: words }, v.picklist(['about', 'other', 'unclear'])),
  intent: lineOf({ business: words, category: words, town: words, text: words }, v.picklist(['lead', 'not'])),
  answers: lineOf({ question: words, brand: words, category: words, text: words }, answerLabel, answerMeant),
  sensitive: lineOf(
    { category: words, stars: v.picklist([1, 2, 3, 4, 5]), text: words },
    v.picklist(['sensitive', 'ordinary', 'unclear']),
  ),
  replies: lineOf(
    {
      business: words,
      category: words,
      review: v.strictObject({ stars: v.picklist([1, 2, 3, 4, 5]), text: v.string() }),
      reply: words,
      why: words,
    },
    v.picklist(['good', 'bad']),
  ),
} as const

/** A kind of texts, named by the judge that they are for. */
export type CorpusName = keyof typeof corpusSchemas
/** One labelled text. */
export type CorpusLine<Name extends CorpusName> = v.InferOutput<(typeof corpusSchemas)[Name]>

/** Every kind of texts. */
export const corpusNames = Object.keys(corpusSchemas) as readonly CorpusName[]

/** Returns the files of a kind of texts, by language. */
export const corpusFiles = (name: CorpusName): readonly string[] =>
  readdirSync(join(corporaFolder, name)).filter((file) => file.endsWith('.jsonl'))

/** Reads all texts of a kind. Throws on a line that does not fit its schema. */
export function readCorpus<Name extends CorpusName>(name: Name): readonly CorpusLine<Name>[] {
  return corpusLanguages.flatMap((language) =>
    readFileSync(join(corporaFolder, name, `${language}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => v.parse(corpusSchemas[name], JSON.parse(line)) as CorpusLine<Name>),
  )
}

/** The half on which rules are built, and the half on which they are measured. */
export type Half = 'build' | 'report'

/** Returns the half of a text. The hash depends on nothing but the id, so a text never changes its half. */
export const halfOf = ({ id }: { readonly id: string }): Half =>
  ((createHash('sha256').update(id).digest()[0] ?? 0) & 1) === 0 ? 'build' : 'report'

const brandSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[A-C]\d{1,2}$/)),
  name: words,
  category: words,
  town: words,
  country: words,
  services: v.pipe(v.array(words), v.minLength(3)),
})
/** A business whose name is also a common word. */
export type CorpusBrand = v.InferOutput<typeof brandSchema>

/** Reads the businesses that the texts of the relevance judge are about. */
export const readBrands = (): ReadonlyMap<string, CorpusBrand> =>
  new Map(
    v
      .parse(
        v.array(brandSchema),
        JSON.parse(readFileSync(join(corporaFolder, 'relevance/brands.json'), 'utf8')),
      )
      .map((brand) => [brand.id, brand]),
  )
