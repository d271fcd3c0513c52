// The templates that every workspace has, as Markdown. Loaded when someone looks at the list.

export type BuiltInTemplate = {
  readonly id: string;
  readonly name: string;
  /** A line icon of src/ui/page-icon. */
  readonly icon: string;
  readonly about: string;
  readonly markdown: string;
};

export const BUILT_IN_TEMPLATES: readonly BuiltInTemplate[] = [
  {
    id: 'meeting-notes',
    name: 'Meeting notes',
    icon: 'notebook-pen',
    about: 'Agenda, decisions, who does what by when',
    markdown: `# Meeting notes

**Date:** \\
**Present:** \\
**Apologies:**

> What do we want to know or have decided when we leave the room?

## Agenda

1. What happened since the last meeting
2.
3. Anything else

## Notes

-

## Decisions

-

## Actions

| What | Who | By when |
| --- | --- | --- |
|  |  |  |
|  |  |  |

## Next meeting

- [ ] Send these notes to everyone who was invited
- [ ] Put open questions on the next agenda
`,
  },
  {
    id: 'project-plan',
    name: 'Project plan',
    icon: 'flag',
    about: 'Goal, milestones, risks, and what comes next',
    markdown: `# Project plan

One paragraph that someone who hears of the project for the first time understands: what changes, for whom, and why now.

## Goal

We are done when

- [ ] someone outside the team can
- [ ] the numbers say

## Not part of it

-

## People

| Who | Answers for | Reached by |
| --- | --- | --- |
|  |  |  |
|  |  |  |

## Milestones

| Milestone | Due | State |
| --- | --- | --- |
| Everyone agrees on the goal |  | open |
| First version that someone else can try |  | open |
| Finished and handed over |  | open |

## Risks

| What could go wrong | How we would notice | What we do then |
| --- | --- | --- |
|  |  |  |

## This week

- [ ] Next step, and who takes it
- [ ] Waiting for

## Open questions

-
`,
  },
  {
    id: 'weekly-journal',
    name: 'Weekly journal',
    icon: 'calendar-days',
    about: 'Plan the week, look back on it',
    markdown: `# Weekly journal

## The week in three lines

1. Most important:
2. Also good:
3. If there is time:

## Days

### Monday

- [ ] First

### Tuesday

- [ ] First

### Wednesday

- [ ] First

### Thursday

- [ ] First

### Friday

- [ ] First

## Looking back

- What went well?
- What took longer than expected, and why?
- What did I learn?
- Whom do I want to thank?

## For next week

- [ ] Carry over
`,
  },
  {
    id: 'decision-record',
    name: 'Decision record',
    icon: 'scale',
    about: 'What was decided, why, and what else was possible',
    markdown: `# Decision record

**State:** proposed\\
**Date:** \\
**Decided by:**

## Question

What has to be decided, in one sentence?

## Background

What do we know? What limits us: time, money, people, earlier decisions?

## Options

| Option | Speaks for it | Speaks against it |
| --- | --- | --- |
| Leave it as it is |  |  |
|  |  |  |
|  |  |  |

## Decision

We will

## Why

-

## What follows from it

- Becomes easier:
- Becomes harder:
- [ ] First step:

## When we look at it again

On what date, or when what happens?
`,
  },
  {
    id: 'reading-list',
    name: 'Reading list',
    icon: 'book-open',
    about: 'What to read, what is being read, and what stayed',
    markdown: `# Reading list

## Reading now

| Title | Author | Since | Where I am |
| --- | --- | --- | --- |
|  |  |  |  |

## To read

- [ ] Title, author. Who recommended it, and why?
- [ ] Title, author

## Read

| Title | Author | Finished | Worth it? |
| --- | --- | --- | --- |
|  |  |  |  |

## Notes

### Title of the book or article

What it says, in two sentences:

A passage worth keeping:

> The passage, and the page it is on

What I do differently because of it:
`,
  },
];
