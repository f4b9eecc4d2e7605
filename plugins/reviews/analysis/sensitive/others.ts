import type { SensitiveWords } from './lexicon'

const tr: SensitiveWords = {
  common: 've bir bu cok icin da de ile olarak gibi ama daha en var yok kadar biz ben oldu guzel',
  injury:
    'yaralan*, yaralad*, yarali, yaralı, ~yara, yaralar*, kaza, kazada, kazasi, kazasinda, kaza gecir*, hastane*, ambulans*, acil servis*|serv*, acile, kanadi, kanama*, kaniyor*, kan icinde|revan, hasland*, dis|disim|disi|kolum|kolu|bacagim|ayagim|kemik|kemigi kir*, merdivenden|yere dust*|kay*, dusup, kayip dus*, cam parca*|kirig*|kirik*|cikti|vardi, metal|plastik|tel parca*|cikti, vefat*, hayatini kaybet*, bogul*, bogazin* takil*, tehlike*, isirdi, isirik*, elektrik carp*, intihar*, olumcul*, yandi elim|kolum, elim|elimi|elini|agzim|kolum yand*|yak*, yanik|yaniklar olus*',
  illness:
    '~hasta, hastalan*, hastalik*, hastalig*, hasta oldu*|olduk|etti*, zehirlen*, gida zehir*, kustu, kustum, kustuk, kustular, kusma*, kusuyor*, mide|midem|midemiz|midesi bulan*|bozul*|agri*, ishal*, salmonella*, atesi cikt*, alerjik*, enfeksiyon*, kanser*, kalp krizi',
  police:
    'polis*, karakol*, jandarma*, saldiri*, saldird*, taciz*, tehdit*, siddet*, dovdu, dovdul*, darp*, hirsiz*, calindi, calinmis, calmis*, suc duyuru*, tecavuz*, yumruk*, tokat att*, sikayetci ol*',
  legal:
    'avukat*, mahkeme*, dava, davasi, davaci, dava ac*, yasal*, hukuki*, hukuk*, tuketici*, savci*, tazminat*, dolandir*, ihmal*, cimer, zabita*, noter*',
  discrimination:
    'ayrimci*, ayirimci*, irkci*, cinsiyetci*, homofob*, ten rengi*, turbanli*, basortu*, yabanci|kurt|arap|siyahi|engelli|kadin|suriyeli oldug*, yabanci diye, dislan*',
  child:
    'cocuk*, cocug*, bebek*, bebeg*, oglum*, oglu, oglunu, ogluyla, kizim*, kucuk kiz*, torun*, evlad*, evlat*, ergen*, ufaklik*, resit olmayan',
  harmless: 'siddetle tavsiye|oneri*, kazandibi, cocuk oyuncagi',
}

const fi: SensitiveWords = {
  injury:
    'loukkaan*, loukkas*, vamma*, vammo*, onnettomuu*, sairaala*, ambulanssi*, paivysty*, ensiapu*, verta, verenvuo*, palovamma*, murtu*, murtui, kaatui*, liukastui*, lasinsiru*, lasinpal*, lasin pal*|siru*, hammas katke*|lohke*, hampaa* lohke*, kuoli*, kuolem*, pyortyi*, tukehtu*, vaarallin*, vaaralli*, puri, itsemurh*',
  illness:
    'sairas, sairaana, sairastu*, sairau*, *myrkyty*, oksen*, ripuli*, kuume*, pahoinvoi*, allergis*, allergin*, tulehdu*, syopa*, vatsatau*, vatsakip*',
  police:
    'poliisi*, rikosilmoitu*, rikos, uhkai*, uhkasi, pahoinpit*, vakivalta*, ahdistel*, hairin*, varasti, varaste*, varas, varka*, loi minua',
  legal:
    'asianaja*, lakimie*, juristi*, oikeuteen, oikeudessa, oikeustoim*, korvausvaatim*, vahingonkorvau*, kuluttajansuoj*, kuluttaja*, terveystarkast*, huijau*, huijar*, valvontaviranom*',
  discrimination: 'syrji*, rasis*, seksis*, homofob*, ihonvar*, ulkomaalai*',
  child:
    'lapsi, lapsen, lapsia, lapset, lapsille, lapsel*, lapsiperh*, lapsiysta*, lapsemme, lapseni, lapsenlap*, lasten*, lasta, vauva*, tytar*, tyttare*, poikani, poikam*, pojan*, tyttoni, tyttomme, taapero*, teini*, alaikai*, leikki-ikai*',
}

const hu: SensitiveWords = {
  injury:
    'megserul*, serules*, serult*, baleset*, korhaz*, mentok*, mentot, ugyelet*, verz*, verez*, megege*, eges*, fog*|labam|karom|laba|karja torott|eltort|letort, eltort a, elesett*, elestem, elcsusz*, uvegszilank*, uvegdarab*, uveg volt, meghalt*, halal*, elajul*, fuldok*, fullad*, veszelyes*, megharap*, ongyilk*',
  illness:
    'beteg, betegek, beteget, megbeteg*, betegseg*, hanyt*, hanyas*, hanyni, hanytam*, hasmenes*, *mergez*, szalmonell*, lazas*, allergias*, fertoz*, rakos, rakja, hascs*, hasfaj*',
  police:
    'rendor*, feljelent*, megtamad*, tamadt*, zaklat*, fenyeget*, eroszak*, loptak, elloptak, lopas*, tolvaj*, megutott*, megvert*, buncselek*',
  legal:
    'ugyved*, birosag*, jogi, jogasz*, perel*, bepere*, karterit*, fogyasztoved*, nebih, antsz, csalas*, csalo, csalok, hanyag*',
  discrimination:
    'diszkrimin*, megkulonbozt*, rasszis*, szexis*, homofob*, borszin*, cigany*, mert kulfoldi*|roma*',
  child:
    'gyerek*, gyermek*, babaval, babank*, babam*, kisbab*, kislany*, kisfi*, fiam*, lanyom*, lanyunk*, fiunk*, unoka*, csecsem*, kiskoru*, tinedzs*, babakocsi*',
}

const el: SensitiveWords = {
  injury:
    'τραυμα*, ατυχημα*, νοσοκομει*, ασθενοφορ*, αιμα, αιματα, αιμορραγ*, εγκαυμα*, καταγμα*, σπασμεν* δοντ*|γυαλ*, εσπασα|εσπασε το|ενα δοντι|ποδι|χερι, επεσα, επεσε, γλιστρησ*, κομματ* γυαλ*|μεταλλ*|πλαστικ*, γυαλι σ*|μεσα, πεθαν*, θανατ*, λιποθυμ*, πνιγηκ*, πνιγμ*, επικινδυν*, δαγκωσ*, αυτοκτον*',
  illness:
    'αρρωστ*, ασθενεια, ασθενειας, δηλητηριασ*, εμετ*, εμεσ*, διαρροι*, ναυτια*, σαλμονελ*, πυρετ*, αλλεργικ*, λοιμωξ*, καρκιν*, γαστρεντεριτ*',
  police:
    'αστυνομ*, μηνυσ*, επιθεσ*, επιτεθηκ*, απειλ*, παρενοχλ*, βια, βιαιοπραγ*, κλοπη*, εκλεψ*, κλεψαν, κλεφτ*, χτυπησε με|τον|την, με χτυπησ*',
  legal:
    'δικηγορ*, δικαστηρι*, αγωγη, νομικ*, αποζημιωσ*, απατη, απατεων*, αμελεια*, συνηγορο* καταναλωτ*, εφετ υγειονομικ*, υγειονομικ*',
  discrimination:
    'διακρισ*, ρατσισ*, σεξισ*, ομοφοβ*, ξενοφοβ*, χρωμα του|μου δερματ*, επειδη ειμαι|ειμαστε ξεν*|μαυρ*|γυναικ*|γκει',
  child:
    'παιδι, παιδια, παιδιου, παιδιων, παιδακ*, παιδικ*, μωρο, μωρα, μωρου, μωρακ*, κορη, κορης, κορες, γιος, γιο, γιου, γιοι, εγγον*, βρεφ*, νηπι*, ανηλικ*, εφηβ*, καροτσ*',
}

const ja: SensitiveWords = {
  injury:
    '*けが*, *怪我*, *ケガ*, *負傷*, *病院*, *救急*, *出血*, *血が*, *血だらけ*, *やけど*, *火傷*, *骨折*, *ガラス片*, *ガラスの破片*, *破片*, *異物*, *転倒*, *転ん*, *死亡*, *亡くな*, *死に*, *意識を失*, *窒息*, *危険*, *自殺*, *歯が欠け*',
  illness:
    '*病気*, *食中毒*, *食あたり*, *嘔吐*, *吐い*, *吐き*, *下痢*, *腹痛*, *アレルギー*, *発熱*, *感染*, *体調を崩*, *体調不良*',
  police:
    '*警察*, *通報*, *暴行*, *暴力*, *殴*, *脅*, *セクハラ*, *痴漢*, *盗ま*, *盗難*, *窃盗*, *犯罪*, *被害届*',
  legal:
    '*弁護士*, *裁判*, *訴え*, *訴訟*, *法的*, *損害賠償*, *消費者センター*, *消費生活*, *保健所*, *詐欺*',
  discrimination: '*差別*, *人種*, *外国人だから*, *ヘイト*, *女性だから*',
  child:
    '*子供*, *子ども*, *こども*, *赤ちゃん*, *息子*, *娘*, *孫*, *幼児*, *乳児*, *未成年*, *小学生*, *園児*, *ベビーカー*',
}

const zh: SensitiveWords = {
  injury:
    '*受伤*, *受傷*, *医院*, *醫院*, *救护车*, *救護車*, *急诊*, *急診*, *流血*, *出血*, *烫伤*, *燙傷*, *烧伤*, *骨折*, *玻璃渣*, *玻璃碎*, *玻璃碴*, *碎玻璃*, *摔倒*, *滑倒*, *死亡*, *去世*, *昏倒*, *窒息*, *危险*, *危險*, *自杀*',
  illness:
    '*生病*, *中毒*, *呕吐*, *嘔吐*, *拉肚子*, *腹泻*, *腹瀉*, *肚子疼*, *肚子痛*, *过敏*, *過敏*, *发烧*, *發燒*, *感染*',
  police:
    '*警察*, *报警*, *報警*, *派出所*, *殴打*, *打人*, *被打*, *威胁*, *威脅*, *骚扰*, *騷擾*, *小偷*, *被偷*, *偷了*, *犯罪*',
  legal:
    '*律师*, *律師*, *起诉*, *起訴*, *法院*, *法律*, *赔偿*, *賠償*, *消费者协会*, *消協*, *消协*, *12315*, *诈骗*, *詐騙*, *工商局*',
  discrimination: '*歧视*, *歧視*, *种族*, *種族*',
  child:
    '*孩子*, *小孩*, *儿子*, *兒子*, *女儿*, *女兒*, *宝宝*, *寶寶*, *婴儿*, *嬰兒*, *儿童*, *兒童*, *小朋友*, *孙子*, *孫子*, *未成年*',
}

const ko: SensitiveWords = {
  injury:
    '다쳤*, 다쳐*, 다칠*, 부상*, 병원*, 응급실*, 구급차*, 피가, 출혈*, 화상*, 골절*, 유리 조각*, 유리조각*, 이물질*, 넘어졌*, 넘어져*, 사망*, 기절*, 질식*, 위험*',
  illness: '식중독*, 구토*, 토했*, 설사*, 배탈*, 아팠*, 알레르기*, 감염*, 장염*',
  police: '경찰*, 신고*, 폭행*, 폭력*, 협박*, 성희롱*, 성추행*, 도난*, 훔쳐*, 훔친*, 범죄*, 때렸*',
  legal:
    '변호사*, 고소할*, 고소하겠*, 소송*, 법적*, 법원*, 손해배상*, 소비자원*, 소비자보호*, 식약처*, 보건소*, 사기꾼*, 사기를',
  discrimination: '차별*, 인종*, 외국인이라*, 혐오*',
  child:
    '아이가, 아이들*, 아이를, 아이와, 아이도, 아이랑, 아이에게, 아이, 애들*, 아들이, 아들을, 아들과, 아들, 딸이, 딸을, 딸과, 딸은, 딸아이*, 딸, 아기가, 아기를, 아기와, 아기랑, 아기, 손자*, 손녀*, 어린이*, 미성년*, 유모차*',
}

const ar: SensitiveWords = {
  injury:
    '*مستشف*, *اسعاف*, *إسعاف*, *اصيب*, *أصيب*, *إصاب*, *جروح*, *جرحت*, *زجاج*, *نزيف*, *حروق*, *كسرت*, *وفاة*, *خطير*',
  illness: '*تسمم*, *مريض*, *مرضت*, *مرضنا*, *تقيأ*, *اسهال*, *إسهال*, *حساسية*',
  police: '*شرطة*, *الشرطه*, *تهديد*, *هددن*, *تحرش*, *سرقة*, *سرقوا*, *اعتداء*, *ضربني*',
  legal: '*محامي*, *المحامي*, *محكمة*, *قانوني*, *قضية*, *تعويض*, *نصب*, *احتيال*, *حماية المستهلك*',
  discrimination: '*عنصري*, *تمييز*',
  child: '*طفل*, *اطفال*, *أطفال*, *ابني*, *ابنتي*, *رضيع*, *أولاد*, *اولاد*',
}

const he: SensitiveWords = {
  injury:
    '*בית|לבית חולים|החולים, *אמבולנס*, *נפצע*, *פציע*, *דימום*, *זכוכית*, *נשבר לי|לו|לה, *מסוכן*, *כוויה*',
  illness: '*הרעלה*, *הרעלת*, *הקאתי*, *הקיא*, *הקאה*, *שלשול*, *חולה*, *חלינו*, *אלרגי*',
  police: '*משטרה*, *שוטר*, *תקף*, *איים*, *איומים*, *הטרד*, *גנב*, *אלימות*',
  legal: '*עורך|לעורך|עורכי דין, *תביע*, *תבע*, *בית|לבית משפט|המשפט, *פיצוי*, *הונאה*, *משרד הבריאות',
  discrimination: '*גזענ*, *אפליה*, *אפלייה*, *מפלים*',
  child: '*ילד*, *תינוק*, *הבן|הבת|לבן|לבת שלי|שלנו, *נכד*, *פעוט*',
}

export const others: Readonly<Record<string, SensitiveWords>> = { tr, fi, hu, el, ja, zh, ko, ar, he }
