/** The characters before and after a contact detail that name its owner. */
const beforeMax = 160
const afterMax = 90

/** The author speaks of themselves, as in “call me on” and “my number is”. */
const ownCues: readonly RegExp[] = [
  /\b(?:call|calling|text|ring|phone|e-?mail|mail|message|msg|whatsapp|contact|reach|dm|pm|get|write|drop|find|give|send) (?:me|us)\b/i,
  /\b(?:my|our) (?:\p{L}{1,14} ){0,2}(?:no|nr|number|numbers|phone|mobile|cell|cellphone|tel|telephone|e-?mail|mail|address|whatsapp|contact|details)\b/iu,
  /\b(?:ruf\p{L}{0,3}|schreib\p{L}{0,2}|erreich\p{L}{0,3}|meld\p{L}{0,3}|kontaktier\p{L}{0,3}) (?:\p{L}{1,6} ){0,2}(?:mich|mir|uns)\b/iu,
  /\b(?:meine?[rnm]?|unsere?[rnm]?) (?:\p{L}{1,14}[ -]){0,2}(?:nr|nummer|handy|handynummer|telefon|telefonnummer|tel|mail|e-?mail|adresse|mobil|mobilnummer|rufnummer)/iu,
  /\b(?:ich bin|bin) (?:\p{L}{1,10} ){0,2}(?:unter|über|erreichbar)/iu,
  /\b(?:me joindre|m['’](?:appeler|écrire|envoyer|contacter)|(?:appelez|contactez|écrivez|appelle|contacte|joignez)-(?:moi|nous)|je suis joignable)/iu,
  /\b(?:mon|ma|mes|notre) (?:\p{L}{1,14} ){0,2}(?:numéro|num|n°|tel|tél|téléphone|portable|mobile|mail|e-?mail|adresse|whatsapp)/iu,
  /\b(?:ll[aá]m[ae](?:me|nos|dme)|escr[ií]b(?:eme|anme|idme)|cont[aá]ct[ae](?:me|nos|dme))/iu,
  /\bmi (?:\p{L}{1,14} ){0,2}(?:m[oó]vil|tel[eé]fono|tel|n[uú]mero|correo|e-?mail|mail|celular|whatsapp)/iu,
  /\b(?:chiama(?:temi|mi|teci)|contatta(?:temi|mi|teci)|scriv(?:imi|etemi))/iu,
  /\bmi[oa] (?:\p{L}{1,14} ){0,2}(?:numero|cellulare|telefono|tel|mail|e-?mail|indirizzo)/iu,
  /\b(?:bel|mail|app|sms|bereik|schrijf) (?:me|mij|ons)\b/iu,
  /\b(?:mijn|ons|onze) (?:\p{L}{1,14} ){0,2}(?:nummer|telefoon|telefoonnummer|mobiel|06|mail|e-?mail|adres)/iu,
  /\b(?:ligue|liguem|escreva|contacte|contate|chame|manda|mande)(?:-| )(?:me|nos|mensagem)/iu,
  /\b(?:meu|minha) (?:\p{L}{1,14} ){0,2}(?:n[uú]mero|telefone|telem[oó]vel|celular|tel|e-?mail|mail|whatsapp|zap)/iu,
  /(?:اتصل(?:وا)? ب[يى]|كلمني|راسلني|رقمي|هاتفي|جوالي|ایمیل من|شماره من)/u,
]

/** Words after a verb that are no name: “Call Monday”. */
const noNames =
  /^(?:me|us|now|today|tonight|tomorrow|anytime|any|after|before|between|on|at|or|and|only|please|pls|thanks|tel|phone|mobile|cell|email|mail|whatsapp|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|ring|call|text|an|mich|uns|mir|bitte|unter|telefon|handy|mobil|nummer|rückruf|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)$/iu

/** A verb and the name of somebody else: “Contact Kestrel Boilers on”. The name is the group. */
const namedOthers: readonly RegExp[] = [
  /\b(?:contact|contacted|call|called|ring|rang|try|tried|phone|phoned|e-?mail|emailed|text|texted|message|messaged|ask|asked|see|use|used|recommend|recommended|book|booked|visit|visited|hire|hired|speak to|spoke to|speak with|talk to|get hold of|go to|went to|go with|went with|look up|number for|number of|details for|details of|e-?mail for) (?:the |for |out |with )?(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /\b(?:ruf\p{L}{0,3}|kontaktier\p{L}{0,3}|versuch\p{L}{0,3}|frag\p{L}{0,3}|empfehle|empfehlen|wende? dich an|meld\p{L}{0,3} (?:dich|sich|euch) bei|nummer von|mail von) (?:mal |doch |einfach |am besten |bei |beim |die |den |das |der |dem ){0,3}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /\b(?:appel\p{L}{1,4}|contact\p{L}{1,4}|essay\p{L}{1,4}|demand\p{L}{1,4}|recommande|conseille|voyez|numéro de|mail de) (?:à |chez |la |le |les |l['’]|avec ){0,2}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /(?<!\b[mM]e )\b(?:llam\p{L}{1,4}|contact\p{L}{1,4}|prueb\p{L}{1,3}|recomiend\p{L}{1,3}|pregunt\p{L}{1,4}|número de|teléfono de|correo de) (?:a |con |por |los |las |el |la ){0,2}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /\b(?:chiam\p{L}{1,4}|contatt\p{L}{1,4}|prov\p{L}{1,3}|consigli\p{L}{0,4}|sent\p{L}{1,3}|numero di|mail di) (?:a |da |con |la |il |i |lo ){0,2}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /\b(?:bel|bellen|contacteer|probeer|vraag|mail|nummer van) (?:met |naar |bij |de |het |eens ){0,2}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
  /\b(?:lig\p{L}{1,3}|contat\p{L}{1,3}|contact\p{L}{1,3}|recomend\p{L}{1,3}|fal\p{L}{1,3} com|número d[aoe]) (?:para |com |a |o |os |as ){0,2}(?<name>\p{Lu}[\p{L}\d&'’.-]{1,30})/giu,
]

/** Somebody else, without a name, before the detail. */
const othersBefore: readonly RegExp[] = [
  /\b(?:who|whose|wer|wem|qui|quién|chi|wie|quem) (?:\p{L}{1,12} ){0,3}(?:number |nummer |numéro |número |numero )?(?:is |ist |est |es |è |é )?$/iu,
  /\b(?:call|called|ring|rang|contact|phone|phoned|e-?mail|emailed|text|message|try|ask|give|use|recommend) (?:him|her|them|these|those|this|that|the|a|an|your|their|his)\b/i,
  /\b(?:his|her|their|its|your|whose) (?:\p{L}{1,14} ){0,2}(?:no|number|phone|mobile|cell|tel|e-?mail|mail|line|office|website)\b/iu,
  /\b\p{L}{2,30}['’]s (?:\p{L}{1,14} ){0,1}(?:number|phone|mobile|cell|tel|e-?mail|mail|line)\b/iu,
  /\b(?:calls?|called|texts?|texted|rang|rung|messages?|messaged|e-?mails?|mails?|spam|scam|letters?) (?:\p{L}{1,12} ){0,4}(?:from|by)\b/iu,
  /\bfrom:? (?:the )?(?:number )?$/i,
  /\b(?:scam\p{L}{0,4}|(?<!\bno )spam\p{L}{0,4}|fraud\p{L}{0,5}|beware|caller|anrufer\p{L}{0,2}|betrüger\p{L}{0,2}|vorsicht|abzocke|arnaque|estafa|truffa)\b[^.!?\n]{0,20}$/iu,
  /\b(?:do not|don['’]t|never) (?:call|ring|phone|answer|trust) (?:the |this |that |on )?(?:number )?$/iu,
  /\b(?:number|phone|mobile|e-?mail|mail) on (?:the|their|a|his|her|its|this|that)\b[^.!?\n]{0,30}$/iu,
  /\b(?:advert|ad|flyer|leaflet|poster|sign|van|website) (?:says?|said|reads?|has|had|shows?|gives?)\b[^.!?\n]{0,20}$/iu,
  /\b(?:my|our) (?:landlord|landlady|agent|boss|plumber|builder|electrician|wife|husband|partner|mum|mom|dad|mother|father|son|daughter|brother|sister|friend|mate|neighbou?r|colleague|uncle|aunt|doctor|dentist|lawyer|accountant)(?: is| was| can be reached)?(?: on| at|:)[^.!?\n]{0,20}$/iu,
  /\b(?:angerufen|ruft|kontaktiert) (?:\p{L}{1,10} ){0,2}von\b/iu,
  /\b(?:appelé|contacté|harcelé)(?:es?|s)? par\b/iu,
  /\bllam(?:aron|an|ó|ado|ada) (?:del?|desde)\b/iu,
  /\b(?:chiama(?:to|ta|ti|te|no)|telefonato) (?:dal?|dallo)\b/iu,
  /\b(?:gebeld|belt|belde|gebeld werd) (?:door|vanaf|van)\b/iu,
  /\b(?:ligaram|ligou|ligam|liga) d[oae]\b/iu,
  /\b(?:called|rang|phoned|e-?mailed|texted|messaged|contacted|dialled|dialed|tried|wrote to|written to|calling|ringing|e-?mailing|angerufen|geschrieben an|llamé al?|scritto a) (?:the number |this number |on |at )?$/iu,
  /\b(?:they|he|she|them|him)\b[^.!?\n]{0,40}$/i,
  /\b(?:contact|call|ring|phone|e-?mail|ask) (?:\p{L}{1,12} )?(?:support|service|services|sales|reception|care|enquiries|accounts)\b/iu,
  /\b\p{Lu}[\p{L}&'’-]{1,30} (?:Boilers?|Plumbing|Plumbers?|Heating|Gas|Electrical|Electricians?|Roofing|Roofers?|Builders?|Building|Services?|Solutions|Group|Company|Garage|Motors|Autos?|Cars|Taxis?|Cabs|Removals|Cleaning|Cleaners|Gardens?|Landscapes|Dental|Dentists?|Clinic|Surgery|Practice|Vets?|Salon|Hair|Beauty|Spa|Gym|Cafe|Café|Bakery|Restaurant|Kitchen|Pizza|Grill|Bar|Hotel|Inn|Pharmacy|Optici?ans?|Law|Solicitors|Lawyers|Legal|Accountants?|Estates?|Lettings|Insurance|Bank|School|Academy|Nursery|Store|Shop|Repairs?|Locksmiths?|Windows|Doors|Kitchens|Bathrooms|Carpets|Flooring|Tyres|Tires|HVAC|Security|Photography|Studio|Design|Sanitär|Heizung|Elektro|Dachdecker|Bäckerei|Praxis|Werkstatt|Autohaus|Plomberie|Chauffage|Boulangerie|Fontaneros|Fontanería|Idraulica|Loodgieters?)[\s,:(–—-]{0,4}(?:on |at |tel\.? |phone )?$/u,
  /\b(?:customer (?:service|care|services|support)|help ?line|hot ?line|switchboard|reception|head office|call cent(?:re|er)|support line|council|police)\b/i,
  /\b(?:Ltd|Limited|LLC|Inc|GmbH|plc|PLC|S\.?A\.?R\.?L|SARL|S\.?L|Srl|S\.r\.l|B\.?V|& Sons?|and Sons?|& Co)\b\.?[\s,:–—-]{0,4}(?:on |at |tel |phone )?$/,
  /\b(?:ihn|ihm|ihnen|deren|dessen|denen) /iu,
  /\b(?:seine|ihre) (?:\p{L}{1,14}[ -]){0,2}(?:nr|nummer|telefonnummer|handynummer|mail|e-?mail|adresse)/iu,
  /\b(?:anrufe?|anruf|sms|nachrichten?|mails?|spam) (?:\p{L}{1,12} ){0,4}von\b/iu,
  /\b(?:kundenservice|kundendienst|hotline|zentrale|firma|polizei|service client|standard|atención al cliente|servizio clienti|assistenza|klantenservice|atendimento)\b/iu,
  /\b(?:leur|son|sa) (?:numéro|tel|tél|mail|e-?mail|adresse|portable)/iu,
  /\b(?:appels?|sms|messages?|mails?) (?:\p{L}{1,12} ){0,3}d[ue]\b/iu,
  /\bsu (?:número|teléfono|tel|correo|e-?mail|móvil)/iu,
  /\b(?:llamadas?|mensajes?|correos?) (?:\p{L}{1,12} ){0,3}de\b/iu,
  /\b(?:il loro|il suo) (?:numero|telefono|mail|e-?mail)/iu,
  /\b(?:hun|haar|zijn) (?:nummer|telefoonnummer|mail|e-?mail)/iu,
]

/** Somebody else, after the detail. */
const othersAfter: readonly RegExp[] = [
  /^ (?:m['’](?:a|ont)|n['’]arrête|me harcèle|nous a|ruft|nervt|belästigt|me llama|me ha llamado|mi chiama|mi ha chiamato|belt mij|belt me|me liga)(?!\p{L})/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:and |but |because |as |cos |since )?(?:they|he|she)\b/iu,
  /^ (?:sent|charged|billed|replied|answered|scammed|spammed|e-?mailed|called|texted)\b/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:ask|asking|speak|spoke|talk) (?:for|to|with)\b/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:highly|would|i(?:['’]d| would| can)?|we) (?:\p{L}{1,10} )?recommend/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:great|good|excellent|brilliant|fantastic|amazing|top|best|superb|decent|reliable|friendly|honest|lovely) (?:\p{L}{1,12} )?(?:service|job|work|guys?|people|company|firm|lads?|team|bloke|prices?|value|outfit)/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:is|was) (?:the|their|his|her|its|a|an) (?:\p{L}{1,14} ){0,2}(?:number|line|e-?mail|mail|address|scam\p{L}{0,4}|spam\p{L}{0,4}|fraud)/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:is|was|are|keeps?|kept) (?:\p{L}{1,10} )?(?:calling|ringing|texting|a scam|spam|fake|good|great|excellent|brilliant|fantastic|amazing|reliable)/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:die|sie|er|der) (?:sind|ist|waren|war|machen|macht|haben|hat)\b/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:sehr )?(?:zu empfehlen|empfehlenswert|gute[rs]? (?:service|firma|arbeit|leute))/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:ils|elles|il|elle) (?:sont|est|ont|a|étaient)\b/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:son|es) (?:muy )?(?:buenos?|buenas?|geniales?|los mejores|excelentes?)/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:sono|è) (?:molto )?(?:bravi|bravo|bravissimi|ottimi|i migliori|affidabili)/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:ze|zij|hij) (?:zijn|is|waren|was|hebben)\b/iu,
  /^[\s,;:.!?)\]–—-]{0,6}(?:eles|elas|ele|ela) (?:são|é|foram|têm)\b/iu,
]

/** The number of an order, an account or a company, and no telephone. */
const otherNumbers =
  /(?:\b(?:order|ref|reference|invoice|ticket|case|tracking|parcel|account|acc|acct|a\/c|sort code|sort|iban|bic|policy|serial|isbn|ean|imei|booking|confirmation|customer|quote|model|part|part no|id|vat|crn|company|utr|nhs|ni|nino|ssn|ein|abn|acn|gst|pan|aadhaar|passport|steuernummer|steuer-?id|ust-?id|registration|reg|charity|licen[cs]e|claim|flight|lot|item|sku|po|bestell(?:ung|nummer)|auftrag(?:snummer)?|kunden(?:nummer|nr)|rechnung(?:snummer)?|konto(?:nummer)?|blz|aktenzeichen|vorgang(?:snummer)?|ticketnummer|sendung(?:snummer)?|commande|facture|dossier|siret|siren|compte|colis|pedido|factura|cuenta|expediente|nif|cif|dni|ordine|fattura|conto|pratica|p\.? ?iva|bestelling|ordernummer|factuur|rekening|klantnummer|kvk|btw|encomenda|fatura|conta|processo|cpf|cnpj)\b\.?|#|№)(?:[ -]?(?:no|number|num|nr|nummer|numéro|número|numero|id|code|#)\b\.?)?[\s:#=]{0,4}(?:is |was |lautet |ist |es |est |è )?$/iu

/** Whether the words before a number say that it is that of an order, an account or another thing. */
export const isOtherNumber = (before: string): boolean => otherNumbers.test(before)

/**
 * Whether the author states this contact detail about themselves, as far as the words around it say. With `mustSay`, they
 * must say so: the detail is of a kind that firms have.
 */
export function isOfAuthor(text: string, start: number, end: number, { mustSay = false } = {}): boolean {
  const before = sentenceBefore(text.slice(Math.max(0, start - beforeMax), start))
  if (isOtherNumber(before.slice(-60))) return false
  if (ownCues.some((cue) => cue.test(before))) return true
  if (mustSay) return false
  if (othersBefore.some((cue) => cue.test(before))) return false
  if (namedOthers.some((cue) => [...before.matchAll(cue)].some((match) => isName(match.groups?.name ?? ''))))
    return false
  const after = text.slice(end, end + afterMax)
  return !othersAfter.some((cue) => cue.test(after))
}

const isName = (word: string): boolean => /^\p{Lu}/u.test(word) && !noNames.test(word)

/** Returns what belongs to the same sentence. An initial or a shortened word does not end it. */
function sentenceBefore(text: string): string {
  const ends = [...text.matchAll(/(?:[\p{L}\d)]{2})[.!?](?=\s)|\n/gu)]
  const last = ends.filter(({ 0: word, index }) => !isShortened(text, word, index)).at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}

/** Whether a full stop belongs to a word such as “Tel.” */
const isShortened = (text: string, found: string, index: number): boolean =>
  /\b(?:tel|no|nr|mob|ph|ltd|inc|co|st|dr|mr|mrs|ms|ext|bzw|z\. ?b|str|ref|acc|approx)$/i.test(
    text.slice(Math.max(0, index - 10), index + found.length - 1),
  )
