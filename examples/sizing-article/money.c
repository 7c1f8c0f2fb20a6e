/* money.c: claims about prices: j, p. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "article.h"

#define MONTH 730.5 /* hours */

static void buy(asked *q)
{
    double price = fact(CSZ_KIND_OFFER, "h100-sxm-80gb-spot", CSZ_OFFER_PRICE), hour, running;
    claim("j",
          "64 H100 cost $0.8-1.2M and $50K a month for power and cooling, or $80 an hour spot, "
          "\"$230K for 3 months\"");
    set(q, "model=llama-3-8b sequence_length=8192 global_batch=512 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=64", "tp=1 zero=1 stack=megatron recompute=full");
    hour = 64 * price;
    running =
        64 * MONTH *
        (project(q, CSZ_PROJECTION_OWN_ELECTRICITY) + project(q, CSZ_PROJECTION_OWN_COLOCATION));
    says("purchase $%.2fM with network and spares; electricity and colocation $%.0fK a month; spot "
         "$%.0f an hour, $%.0fK for 3 months ($80 an hour would be $%.0fK)",
         project(q, CSZ_PROJECTION_OWN_PURCHASE) / 1e6, running / 1e3, hour, hour * 3 * MONTH / 1e3,
         80 * 3 * MONTH / 1e3);
    because("bare cards are not a cluster; power and cooling of 82 kW cost less; $80 an hour for 3 "
            "months is $175K, not $230K.");
}

static double discount(const char *accelerator)
{
    char id[64];
    double on_demand, spot;
    (void)strcpy(id, accelerator);
    on_demand = fact(CSZ_KIND_OFFER, strcat(id, "-on-demand"), CSZ_OFFER_PRICE);
    (void)strcpy(id, accelerator);
    spot = fact(CSZ_KIND_OFFER, strcat(id, "-spot"), CSZ_OFFER_PRICE);
    return 100 * (1 - spot / on_demand);
}

static double rental(const asked *q, const char *term)
{
    for (size_t i = 0; i < csz_projection_count(q->projection, CSZ_PROJECTION_RENTAL_COST); i++) {
        char text[32];
        double v = NONE;
        (void)csz_projection_get_text_at(q->projection, CSZ_PROJECTION_RENTAL_TERM, i, text,
                                         sizeof text);
        (void)csz_projection_get_f64_at(q->projection, CSZ_PROJECTION_RENTAL_COST, i, &v);
        if (strcmp(text, term) == 0)
            return v;
    }
    return NONE;
}

static void spot(asked *q)
{
    claim("p", "spot is 60% cheaper than the big clouds");
    set(q, "model=llama-3-70b sequence_length=8192 global_batch=512 tokens=1T",
        "accelerator=h100-sxm-80gb accelerators=512", "tp=8 pp=4 zero=1 stack=megatron");
    (void)project(q, CSZ_PROJECTION_TIME);
    says("medians of quotes: A100 %.0f%%, H100 %.0f%%, H200 %.0f%%, B200 %.0f%%; a run of 70B on "
         "512 "
         "H100 with its interruptions %.0f%%",
         discount("a100-sxm-80gb"), discount("h100-sxm-80gb"), discount("h200-sxm-141gb"),
         discount("b200-sxm-180gb"), 100 * (1 - rental(q, "spot") / rental(q, "on-demand")));
    because("of quotes that spread fourfold; a large job on spot machines is stopped more often, "
            "if it finds them at all.");
}

const audit money_audits[] = {
    {'j', buy},
    {'p', spot},
    {0, NULL},
};
