// Pages in English, German, Japanese and Arabic for measuring the search, the same for the same seed. Words are built from
// stems as each language builds them (endings, compounds, no spaces, prefixes and vowel signs), and come as often as
// Zipf's law says.
import { prng } from '../../src/lib/prng.ts';

export const LANGUAGES = ['english', 'german', 'japanese', 'arabic'] as const;
export type Language = (typeof LANGUAGES)[number];

export type CorpusPage = { readonly title: string; readonly text: string };

type Random = () => number;
/** The words of a language, the most frequent first. */
type Vocabulary = { readonly words: readonly string[]; readonly separator: string; readonly stop: string };

const WORDS_PER_SENTENCE = 12;
/** A page has words of its own subject, which it repeats. */
const SUBJECT_WORDS = 40;
const SUBJECT_SHARE = 0.4;
const SENTENCES_PER_BLOCK = 5;

/** Pages of `words` words each. */
export function* corpus(language: Language, pages: number, words: number, seed = 1): Generator<CorpusPage> {
  const random = prng(seed);
  const vocabulary = VOCABULARIES[language](random);
  const weights = cumulativeWeights(vocabulary.words.length);
  const pickAny = () => vocabulary.words[Math.floor(random() * vocabulary.words.length)] ?? '';
  let subject: readonly string[] = [];
  const word = () =>
    (random() < SUBJECT_SHARE
      ? subject[Math.floor(random() * subject.length)]
      : vocabulary.words[rankAt(weights, random())]) ?? '';
  const sentence = (length: number) => Array.from({ length }, word).join(vocabulary.separator) + vocabulary.stop;
  for (let page = 0; page < pages; page++) {
    subject = Array.from({ length: SUBJECT_WORDS }, pickAny);
    const blocks: string[] = [];
    for (let left = words; left > 0; left -= WORDS_PER_SENTENCE * SENTENCES_PER_BLOCK) {
      const inBlock = Math.min(left, WORDS_PER_SENTENCE * SENTENCES_PER_BLOCK);
      const sentences: string[] = [];
      for (let rest = inBlock; rest > 0; rest -= WORDS_PER_SENTENCE) {
        sentences.push(sentence(Math.min(rest, WORDS_PER_SENTENCE)));
      }
      blocks.push(sentences.join(vocabulary.separator));
    }
    yield { title: Array.from({ length: 3 }, word).join(vocabulary.separator).slice(0, 200), text: blocks.join('\n') };
  }
}

const list = (words: string): readonly string[] => words.split(' ');
const joined = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((before, part) => before.flatMap((start) => part.map((end) => start + end)), ['']);

const VOCABULARIES: Readonly<Record<Language, (random: Random) => Vocabulary>> = {
  english: (random) => {
    const stems = list(
      'boat harbour light letter river window garden market engine bridge silver winter paper sailor captain house ' +
        'colour number people water mountain station doctor music history weather kitchen morning village council ' +
        'machine picture question answer office market field forest island summer bottle basket carpet thread weaver ' +
        'shuttle record report meeting budget release customer project edit draft print walk talk help turn open start ' +
        'plan build test learn move plant paint clean count order visit watch cover travel master foster gather',
    );
    return {
      words: [
        ...list(
          'the of and to in a is that for it was on are as with his they at be this from have or by one had not but',
        ),
        ...shuffled(
          [
            ...joined(
              stems,
              list(' s ed ing er ers').map((end) => end.trim()),
            ),
            ...joined(stems, stems),
          ],
          random,
        ),
        ...invented(random, list('b br c d f g h l m n p r s st t tr v w'), list('a e i o u ea ou'), 12_000),
      ],
      separator: ' ',
      stop: '.',
    };
  },
  german: (random) => {
    const nouns = list(
      'Boot Rettung Hafen Licht Brief Fluss Fenster Garten Markt Straße Brücke Winter Papier Kapitän Haus Farbe Zahl ' +
        'Wasser Berg Bahnhof Ärztin Musik Geschichte Wetter Küche Morgen Dorf Rat Maschine Bild Frage Büro Feld Wald ' +
        'Insel Sommer Flasche Korb Teppich Faden Weber Bericht Sitzung Haushalt Kunde Projekt Größe Prüfung Gerät Schiff',
    );
    const inner = nouns.map((noun) => noun.toLowerCase());
    return {
      words: [
        ...list(
          'der die das und in zu den mit von ist auf für nicht ein eine als auch es an werden aus er hat dass sie',
        ),
        ...shuffled(
          [
            ...joined(nouns, ['', 'e', 'en', 's']),
            ...joined(nouns, ['', 's', 'n'], inner),
            ...joined(list('schreib prüf öffn fahr bau lern zähl mal such find'), list('e st t en te ten end')),
          ],
          random,
        ),
        ...invented(random, list('b br d f g h k l m n p r s sch st t w z'), list('a e i o u ä ö ü ei au'), 6_000),
      ],
      separator: ' ',
      stop: '.',
    };
  },
  japanese: (random) => {
    const nouns = list(
      '東京 京都 大阪 会議 資料 計画 予算 報告 設計 開発 製品 顧客 市場 研究 教育 学校 病院 電車 駅前 図書 新聞 写真 音楽 映画 料理 ' +
        '天気 季節 春 夏 秋 冬 山 川 海 船 港 橋 窓 庭 猫 犬 鳥 魚 水 火 木 金 土 手紙 言葉 時間 場所 問題 質問 答え 意味',
    );
    const borrowed = list(
      'データ サーバー ページ チーム メール プロジェクト テスト レポート ボート コーヒー カメラ ガラス',
    );
    return {
      words: [
        ...list('の は を に が と で も から まで です ます した して いる ある ない こと これ それ この その よう'),
        ...shuffled(
          [
            ...nouns,
            ...borrowed,
            ...joined(nouns, nouns),
            ...joined(borrowed, nouns),
            ...joined(list('書 読 話 聞 行 泳 働 動'), list('く きます いた かない ける こう いて')),
          ],
          random,
        ),
      ],
      separator: '',
      stop: '。',
    };
  },
  arabic: (random) => {
    const stems = list(
      'كتاب مكتبة كاتب بيت مدينة شارع قارب ميناء رسالة نهر نافذة حديقة سوق جسر شتاء ورق قبطان لون عدد ماء جبل محطة طبيب ' +
        'موسيقى تاريخ طقس مطبخ صباح قرية مجلس صورة سؤال جواب مكتب حقل غابة جزيرة صيف سلة خيط تقرير اجتماع ميزانية ' +
        'مشروع أحمد إدارة آلة مؤسسة مسائل أسئلة قراءة',
    );
    const vowelled = list('كِتَاب مُدِير مَدِينَة قَارِب شَارِع عِلْم');
    return {
      words: [
        ...list('في من على إلى أن هذا هذه التي الذي كان مع عن ما لا هو هي كل بعد قبل بين ثم أو'),
        ...shuffled(
          [
            ...joined(
              list(' ال و وال بال لل ف ك').map((start) => start.trim()),
              stems,
              list(' ها هم ين ات نا').map((end) => end.trim()),
            ),
            ...vowelled,
            ...joined(['ال'], vowelled),
          ],
          random,
        ),
      ],
      separator: ' ',
      stop: '.',
    };
  },
};

/** Words that no dictionary has, for the long tail: names, identifiers, slips of the pen. */
function invented(random: Random, onsets: readonly string[], vowels: readonly string[], count: number): string[] {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(onsets) + pick(vowels)).join(''),
  );
}

function shuffled(words: readonly string[], random: Random): string[] {
  return words
    .map((word) => ({ word, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ word }) => word);
}

function cumulativeWeights(count: number): readonly number[] {
  let total = 0;
  return Array.from({ length: count }, (_, rank) => (total += 1 / (rank + 2.7)));
}

function rankAt(weights: readonly number[], at: number): number {
  const target = at * (weights.at(-1) ?? 0);
  let [low, high] = [0, weights.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((weights[middle] ?? 0) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
