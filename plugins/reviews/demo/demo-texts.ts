/** Sample phrases of one language. `{}` is replaced by something that the business offers. */
export interface Phrases {
  readonly good: readonly string[]
  readonly middling: readonly string[]
  readonly bad: readonly string[]
  /** What each bad text is about, besides the service in it. Empty if nothing. */
  readonly about: readonly string[]
  /** A text that threatens with a lawyer, so that only a person may answer. */
  readonly lawyer: string
  readonly thanks: string
  readonly sorry: string
}

const en: Phrases = {
  good: [
    'Came for the {}, stayed for the people.',
    'Best {} we have had in years. Friendly, quick and fairly priced.',
    'They remembered our name on the second visit. {}: ten out of ten!',
    'Could not fault it. 😊',
  ],
  middling: [
    'The {} was fine, the wait was not.',
    'Good but a little expensive for what it is.',
    'Nothing special, nothing wrong.',
  ],
  bad: [
    'Waited forty minutes and nobody said a word.',
    'The {} was a let-down and the phone just rings out.',
    'Charged twice and still waiting for the refund.',
  ],
  about: ['waiting time', 'phone', 'billing'],
  lawyer: 'I was charged for work that was never done. My lawyer will write to you.',
  thanks: 'Thank you so much, see you soon!',
  sorry: 'We are sorry about this. Please write to us so that we can put it right.',
}

const es: Phrases = {
  good: [
    'Un trato excelente. Volveremos.',
    '{}: de diez. Muy recomendable.',
    '¡Qué maravilla! Gracias a todo el equipo.',
  ],
  middling: ['Correcto, sin más.', '{}: bien, aunque algo caro.'],
  bad: ['Esperamos una hora y nadie nos atendió.', '{}: una decepción.', 'No contestan al teléfono. Fatal.'],
  about: ['espera', '', 'teléfono'],
  lawyer: 'Me cobraron algo que no hicieron. Mi abogado se pondrá en contacto con ustedes.',
  thanks: '¡Muchas gracias por su opinión!',
  sorry: 'Lamentamos lo ocurrido. Escríbanos, por favor.',
}

const de: Phrases = {
  good: [
    'Sehr freundlich und kompetent.',
    '{}: hervorragend, jederzeit wieder!',
    'Endlich schmerzfrei. Vielen Dank!',
  ],
  middling: ['Gut, aber lange Wartezeit auf einen Termin.', '{}: in Ordnung.'],
  bad: ['Termin kurzfristig abgesagt, sehr ärgerlich.', 'Unfreundlich am Empfang. {}: enttäuschend.'],
  about: ['Termine', 'Empfang'],
  lawyer: 'Mir wurde etwas berechnet, das nie gemacht wurde. Mein Anwalt meldet sich bei Ihnen.',
  thanks: 'Herzlichen Dank für Ihre Bewertung!',
  sorry: 'Das tut uns leid. Bitte rufen Sie uns an.',
}

const pt: Phrases = {
  good: [
    'Os melhores da cidade! {} é obrigatório.',
    'Atendimento cinco estrelas.',
    'Tudo fresco e delicioso.',
  ],
  middling: ['Bom, mas muita fila.', '{}: nada de especial.'],
  bad: ['Muito demorado e pouco simpáticos.', '{}: uma desilusão.'],
  about: ['espera', ''],
  lawyer: 'Cobraram-me por algo que não fizeram. O meu advogado vai contactar-vos.',
  thanks: 'Obrigado, até breve!',
  sorry: 'Pedimos desculpa. Fale connosco, por favor.',
}

const fr: Phrases = {
  good: ['Un accueil formidable, nous reviendrons.', 'Superbe adresse, merci !'],
  middling: ['Correct, sans plus.'],
  bad: ['Très déçus, service trop lent.'],
  about: ['attente'],
  lawyer: 'On m’a facturé une prestation jamais faite. Mon avocat vous écrira.',
  thanks: 'Merci beaucoup !',
  sorry: 'Nous sommes désolés.',
}

const ar: Phrases = {
  good: ['تجربة رائعة، أنصح بها بشدة.', '{}: الأفضل في المدينة ❤️', 'خدمة ممتازة وأسعار مناسبة.'],
  middling: ['جيد لكن الانتظار طويل.', '{}: عادي.'],
  bad: ['خدمة سيئة ولن أعود.', '{}: مخيب للآمال.'],
  about: ['الخدمة', ''],
  lawyer: 'دفعت مقابل شيء لم يُنفذ. سيتواصل معكم المحامي.',
  thanks: 'شكراً جزيلاً لكم!',
  sorry: 'نعتذر عما حدث، تواصلوا معنا من فضلكم.',
}

const he: Phrases = {
  good: ['שירות מעולה, אחזור בוודאות!', '{}: מושלם.', 'צוות מקסים ומקצועי.'],
  middling: ['בסדר גמור, קצת יקר.', '{}: סביר.'],
  bad: ['חיכיתי שעה. לא אחזור.', '{}: אכזבה.'],
  about: ['המתנה', ''],
  lawyer: 'חויבתי על משהו שלא נעשה. עורך הדין שלי יפנה אליכם.',
  thanks: 'תודה רבה!',
  sorry: 'אנחנו מצטערים, נשמח שתיצרו קשר.',
}

const ja: Phrases = {
  good: ['とても居心地の良いお店です。', '{}が最高でした！また来ます。', 'スタッフの方が親切でした。'],
  middling: ['普通です。', '{}は美味しいけれど少し高い。'],
  bad: ['待ち時間が長すぎました。', '{}は期待外れでした。'],
  about: ['待ち時間', ''],
  lawyer: 'していない作業の代金を請求されました。弁護士に相談します。',
  thanks: 'ありがとうございます。またお待ちしております。',
  sorry: 'ご不便をおかけし申し訳ございません。',
}

/** The phrases by language tag. */
export const phrases: Readonly<Record<string, Phrases>> = { en, es, de, pt, fr, ar, he, ja }

/** Names of reviewers, by language. */
export const names: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Amelia Ward',
    'Tom O’Neill',
    'Priya Nair',
    'J. Smith',
    'Zoë',
    'Anonymous',
    'Mary-Jane Whitcombe-Featherstonehaugh',
  ],
  es: ['Lucía Fernández', 'Javier Núñez', 'Begoña', 'A. Ibáñez'],
  de: ['Jürgen Groß', 'Sabine Müller', 'K. Ö.', 'Anna-Lena Weiß'],
  pt: ['João Conceição', 'Inês Magalhães', 'Rui'],
  fr: ['Élodie Lefèvre', 'Benoît'],
  ar: ['محمد العلي', 'فاطمة الزهراء', 'أبو خالد'],
  he: ['נועה לוי', 'דניאל כהן'],
  ja: ['田中 陽子', '匿名', 'たろう'],
}
