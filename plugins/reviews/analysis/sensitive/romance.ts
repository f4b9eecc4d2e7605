import type { SensitiveWords } from './lexicon'

const fr: SensitiveWords = {
  common: 'le la les des et est une un pour dans avec nous vous je tres pas plus que qui sur au du mon ma',
  injury:
    's|me est|suis|etait brule|brulee|brules|brulees, blesse, blessee, blessees, blessure*, accident*, hopital, hopitaux, urgences, ambulance*, pompiers, samu, en|du|de|le ~sang, saigne, saignait, saignement*, brulure*, ebouillant*, brule la|le|au|les|ma|mon|sa, fracture*, casse une|la|le|ma|sa|mon|un dent|jambe|bras|poignet|cheville, dent cassee, chute, tombe|tombee dans|sur|du|de|et, glisse sur, morceau|morceaux|bout|bouts|eclat|eclats|debris de verre|metal|plastique, verre dans, mort, morte, morts, deces, decede*, mourir, danger*, evanoui*, fait un malaise, inconscient*, etouff*, mordu*, electrocut*, suicid*, noye*, noyade',
  illness:
    'malade*, maladie*, intoxication*, intoxique*, empoisonn*, vomi*, nausee*, diarrhee*, ~gastro, salmonell*, listeria, fievre, allergique*, infection*, cancer*, mal au|a ventre|coeur|l, crise cardiaque, avc, contamin*',
  police:
    'police, policier*, gendarm*, porte|porter|depose|deposer|portons|depot plainte|de, plainte*, agression*, agresse, agressee, agresser, harcel*, menace*, violence*, violent*, viol, violee, attouchement*, voleur*, fait voler, m a vole, cambriol*, escroc*, escroquerie*, couteau sous, arrete par',
  legal:
    'mon|notre|nos|mes|leur|son|un|une avocat*, avocate*, avocats, tribunal, tribunaux, justice, juridique*, judiciaire*, poursuites, ~proces, mise en demeure, huissier*, dgccrf, repression des fraudes, services d hygiene, services sanitaires, service d hygiene, dommages et, fraude*, prud hommes, negligence*',
  discrimination:
    'discrimin*, racis*, raciste*, sexis*, homophob*, xenophob*, antisemit*, islamophob*, transphob*, couleur de|ma|sa peau|ma, parce que|qu je|on|il|elle|nous suis|est|sommes noir*|arabe*|musulman*|handicap*|femme*|etranger*|gay|asiatique*|maghreb*, mon|son|leur handicap, delit de facies, mon|ma voile|origine|origines',
  child:
    'ma|mon|notre ptite|ptit, enfant*, gamin*, gosse*, bebe*, mon|notre|son|leur|votre|nos|petit|petits fils, ma|notre|sa|leur|nos|petite|petites|jeune fille|filles, petit|petits|notre|jeune garcon*, nourrisson*, ado, ados, adolescent*, mineurs, mineure, ecolier*, poussette*, creche',
  harmless:
    'mort|morts|morte de rire|faim, mourir de rire|plaisir, a mourir, police d assurance, resto|restaurant|menu|cuisine|repas|bistrot|table|bar gastro, toast|tartine|salade|crevette|crevettes|saumon|toasts|burger avocat, sans danger, infecte, nature morte, poids morts, creme brulee',
}

const es: SensitiveWords = {
  common: 'el la los las y es una un muy con para que nos por en de del mi se no lo su todo fue',
  injury:
    'herid*, lesion, lesiones, lesionad*, accidente*, hospital, hospitales, hospitaliza*, ambulancia*, urgencias, sangre, sangra*, sangro, quemadura*, me|se queme|quemo, fractur*, rompi|rompio un|el|la|una|se diente|brazo|pierna|muela, diente roto, me cai, se|nos cayo al|de|por|en, resbale, resbalo, cristal|cristales|vidrio|vidrios en|dentro, trozo|trozos|pedazo|pedazos de cristal|vidrio|metal|plastico|cristales, murio, murieron, muert*, fallec*, casi muero, desmay*, asfixi*, atragant*, peligro*, mordio, mordedura*, electrocut*, suicid*, ahog*',
  illness:
    'enferm*, vomit*, nausea*, diarrea*, intoxic*, envenen*, salmonel*, fiebre, alergic*, infeccion*, infectad*, cancer, dolor|dolores de estomago|barriga, gastroenteritis, me|nos|le sento|sentaron mal, mal del estomago, contaminad*',
  police:
    'policia*, guardia civil, mossos, denunci*, agresion*, agredi*, acoso, acosad*, acosar*, acosaba, amenaz*, violencia, violent*, violacion*, delito*, ~robo, robaron, robado*, robada*, ladron*, navaja, pistola, comisaria',
  legal:
    'abogad*, demandar*, demandado*, demanda judicial|contra, una demanda, juicio, juzgado*, tribunal*, accion|acciones|medidas legal|legales, judicial*, hoja|hojas de reclamacion*, reclamacion|reclamaciones, oficina de|del consumo|consumidor, a|de|por sanidad, negligen*, indemniza*, fraude*, estafa*, via legal',
  discrimination:
    'discrimin*, racis*, racial*, machis*, sexis*, homofob*, homofobia, transfob*, xenofob*, antisemit*, color de|mi piel|mi, por|solo ser negr*|extranjer*|mujer*|gay|latin*|gitan*|discapacitad*|moro*|inmigrante*, por mi|nuestro|nuestra acento|raza|religion|origen|color|discapacidad|orientacion',
  child:
    'ninos, ninas, ~nino, ~nina, ninit*, hijo, hija, hijos, hijas, hijit*, bebe, bebes, crio, crios, peque, peques, pequenin*, nieto*, nieta*, chiquill*, menores, adolescente*, infantil*, criatura*, carrito de',
  harmless:
    'muerto|muerta|muertos de risa|hambre, enfermera*, enfermero*, a mi|nuestro juicio, muelle, sin peligro, de muerte',
}

const it: SensitiveWords = {
  common: 'il la lo gli le di e un una per con che molto sono non del della siamo ci da al mio mia tutto',
  injury:
    'ferit*, incident*, ospedal*, ambulanza, pronto soccorso, sangue, sanguin*, ustion*, mi|si|ci sono|e|siamo bruciat*|scottat*, frattur*, rott* un|il|la|una|lo dente|braccio|gamba|polso, scheggiat* un|il dente, cadut*, scivolat*, vetro|vetri|metallo nel|nella|nei|nell|dentro|in, pezzo|pezzi|scheggia|schegge|frammenti|frammento|pezzetto|pezzetti di vetro|metallo|plastica, morto, morta, morti, morte, decedut*, svenut*, soffoc*, pericol*, morso da|dal, morsicat*, folgorat*, preso la scossa, suicid*, infortun*, affogat*',
  illness:
    'malat*, malattia, ammalat*, vomit*, nausea*, diarrea, intossic*, avvelen*, salmonell*, febbre, allergic*, infezion*, infett*, tumore, cancro, mal di pancia|stomaco, stato|stata|stati|state|stare|star|sentito|sentita|sentiti male, gastroenterite, infarto',
  police:
    'polizi*, carabinier*, forze dell ordine, denunci*, aggression*, aggredit*, molest*, minacc*, violenz*, violent*, stupr*, furto, furti, rubat*, ladro, ladri, reato, reati, questura, i nas, dai nas, coltello alla',
  legal:
    'avvocat*, vie legali, azione|azioni|provvedimenti legale|legali, tribunal*, fare|fatto|faro|faremo|far causa, querel*, giudice, risarciment*, negligen*, truffa, truffat*, truffator*, asl, ufficio d igiene, associazione consumatori, frode, frodi, penale, diffida',
  discrimination:
    'discrimin*, razzis*, sessis*, omofob*, omofobia, transfob*, xenofob*, antisemit*, colore della|di|mia pelle|mia, perche sono|siamo|e ner*|stranier*|gay|donna|donne|disabil*|arab*|musulman*|merid*, perche stranier*, per la mia religione|disabilita|etnia|origine',
  child:
    'bambin*, bimb*, figlio, figlia, figli, figlie, figliolett*, neonat*, ragazzin*, nipotin*, minorenn*, adolescent*, passeggin*, infantil*',
  harmless: 'morto|morta|morti dal|di ridere|sonno|fame, da morire, niente di ferito',
}

const pt: SensitiveWords = {
  common: 'o a os as e um uma muito com para que nos por em de do da no na meu minha foi nao se tudo',
  injury:
    'ferid*, ferimento*, ferir*, feri, feriu*, machuc*, acidente*, hospital, hospitais, hospitaliza*, ambulancia*, pronto socorro, urgencias, sangue, sangr*, queimadura*, me|se queimei|queimou, fratur*, parti|partiu|quebrei|quebrou|partido|quebrado um|o|a dente|braco|perna, dente partido|quebrado, escorreg*, caiu e|da|na|no, vidro|vidros no|na|dentro|em, pedaco|pedacos|caco|cacos|estilhaco|estilhacos de vidro|metal|plastico, morreu, morreram, morte, mortes, morto, morta, falec*, desmai*, engasg*, sufoc*, perig*, mordeu, mordid* por|pelo, eletrocut*, choque eletrico, suicid*, afog*',
  illness:
    'doente*, doenca*, adoec*, vomit*, nausea*, enjoo*, enjoad*, diarreia, intoxic*, envenen*, salmonel*, febre, alergic*, infeccao, infeccoes, infecao, infetad*, infectad*, cancer, cancro, dor|dores de barriga|estomago, passei|passou|passamos|passaram|passar mal, mal dispost*, contaminad*',
  police:
    'policia*, policial, policiais, gnr, boletim de ocorrencia, delegacia, agressao, agressoes, agredi*, assedi*, ameac*, violencia, violent*, estupr*, roubo, roubos, roubad*, roubaram, furto, furtad*, furtaram, ladrao, ladroes, crime, crimes, denunci*, esfaquea*',
  legal:
    'advogad*, processar, processo judicial, tribunal, tribunais, na|da|a ~justica, juizado, judicial*, procon, livro de reclamacoes, asae, indeniz*, indemniz*, negligen*, fraude*, vigilancia sanitaria, acao|acoes|medidas|vias judicial|legal|legais|judiciais, juridic*',
  discrimination:
    'discrimin*, racis*, racial, preconceit*, homofob*, homofobia, transfob*, xenofob*, machis*, sexis*, cor da|de|minha pele|minha, por ser negr*|estrangeir*|mulher*|gay|brasileir*|deficiente*|pret*|imigrante*|nordestin*, por sermos negr*|estrangeir*|gays|brasileir*|pret*|imigrantes',
  child:
    'crianca*, criancinha*, filho, filha, filhos, filhas, filhinh*, filhot*, bebe, bebes, bebezinho*, menino, menina, meninos, neta, netos, netas, netinh*, ~neto, miudo, miudos, miuda, miudas, adolescente*, infantil, menor de idade, menores',
  harmless: 'mal passado|passada, carne mal, filhotes de cachorro|gato, sem perigo',
}

const ro: SensitiveWords = {
  common: 'si in la de pe cu nu am fost este sunt un o foarte mai din care pentru ca',
  injury:
    'ranit*, accident*, spital*, ambulant*, salvare, la ~urgente, sange, sangera*, arsur*, rupt un|o|mana|piciorul dinte, dinte rupt, fractur*, alunecat*, ciob*, bucat* de|din sticla|metal|plastic, sticla in, murit, moarte*, decedat*, lesinat*, inecat*, periculo*, suicid*',
  illness:
    'bolnav*, imbolnav*, boala, boli, vomit*, voma, varsaturi, greata, greturi, diaree, intoxica*, toxiinfecti*, salmonel*, febra, alergic*, infecti*, cancer',
  police:
    'politia, politie, politiei, politist*, jandarm*, agresiun*, agresat*, hartuit*, hartuire*, amenint*, violenta, violent*, furat*, hoti, plangere*',
  legal:
    '~avocat*, avocatul*, tribunal*, judecata, in instanta, anpc, protectia consumator*, despagub*, neglijen*, frauda*, in ~proces',
  discrimination: 'discrimin*, rasis*, rasism*, sexis*, homofob*, xenofob*, culoarea pielii',
  child:
    'copil*, copii, copiii, copiilor, bebelus*, fiul, fiica*, fetita*, baietel*, nepotel*, nepoti*, adolescent*, minori, minorii',
}

export const romance: Readonly<Record<string, SensitiveWords>> = { fr, es, it, pt, ro }
