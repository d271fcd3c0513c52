// Takes the rows of a page and answers questions about its history, inside of the worker.
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import type { Answers, Contributions, HistoryAnswer, HistoryJob, PlainPage, Question } from './history-jobs.ts';
import { type LogContribution, PageLog } from './page-log.ts';
import { timelineOf } from './timeline.ts';

/** Holds the page's log. */
export function newAnswerer(): (job: HistoryJob) => HistoryAnswer {
  let log = new PageLog();
  return (job) => {
    if (job.kind === 'restart') log = new PageLog();
    return answerJob(log, job);
  };
}

export function answerJob(log: PageLog, job: HistoryJob): HistoryAnswer {
  if (job.kind === 'rows' || job.kind === 'restart') {
    if (job.kind === 'rows') log.take(job.rows);
    return { kind: 'has', seq: log.seq, skipped: [...log.skipped] };
  }
  if (log.seq < job.known) return { kind: 'has', seq: log.seq, skipped: [...log.skipped] };
  const value = answer(log, job);
  return value === null ? { kind: 'unknownRow' } : { kind: 'value', value };
}

/** Null if the question is about a row that is not here. */
function answer(log: PageLog, question: Question): Answers[Question['kind']] | null {
  const { history } = log;
  switch (question.kind) {
    case 'page': {
      const limit = log.limitOf(question.seq);
      return limit === null ? null : pageOf(log, limit);
    }
    case 'authors': {
      const limit = log.limitOf(question.seq);
      if (limit === null) return null;
      const authors = history.authors(limit);
      const used = new Set<number>();
      for (const parts of authors.values())
        for (const ranges of parts.values()) for (const { contribution } of ranges) used.add(contribution);
      return { page: pageOf(log, limit), authors, contributions: contributionsOf(log, used) };
    }
    case 'changes': {
      const [from, to] = [log.limitOf(question.from), log.limitOf(question.to)];
      if (from === null || to === null) return null;
      const compared = history.compare(from, to);
      const used = new Set<number>([...compared.blockContributions.values(), ...compared.blockRemovals.values()]);
      for (const parts of compared.authors.values())
        for (const ranges of parts.values()) for (const { contribution } of ranges) used.add(contribution);
      for (const parts of compared.removals.values())
        for (const takers of parts.values())
          for (const contribution of takers) if (contribution !== null) used.add(contribution);
      return {
        ...compared,
        page: pageOf(log, to),
        before: pageOf(log, from),
        contributions: contributionsOf(log, used),
      };
    }
    case 'words': {
      const [from, to] = [log.limitOf(question.fromSeq - 1), log.limitOf(question.toSeq)];
      if (from === null || to === null) return null;
      const [before, after] = [history.blocks(from), history.blocks(to)];
      const { insertedWords, removedWords } = comparePages(before, after);
      const known = new Set(before.map(({ key }) => key));
      const pictures = after.filter(({ type, key }) => type === 'image' && !known.has(key)).length;
      return { insertedWords, removedWords, pictures };
    }
    case 'timeline':
      return timelineOf(log, question.columns);
    case 'file': {
      const limit = log.limitOf(question.seq);
      return limit === null ? null : history.file(limit);
    }
    case 'without': {
      const sessions = new Set(question.sessions);
      const isUndone = (index: number) => {
        const { seq, session, via } = log.contribution(index);
        return seq > question.since && sessions.has(via ?? session);
      };
      const { blocks, file } = history.without(isUndone);
      return { page: { title: file.title, blocks }, file };
    }
  }
}

const pageOf = ({ history }: PageLog, limit: number): PlainPage => ({
  title: history.title(limit),
  blocks: history.blocks(limit),
});

const contributionsOf = (log: PageLog, indexes: Iterable<number>): Contributions =>
  new Map<number, LogContribution>(Array.from(indexes, (index) => [index, log.contribution(index)] as const));
